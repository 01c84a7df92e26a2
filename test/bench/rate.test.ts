import { expect, it } from 'vitest';
import { findRate } from '../../bench/day/rate.mjs';

/** 100 sorted latencies, of which so many are late. */
const latenciesOf = (late: number) => Array.from({ length: 100 }, (_, n) => (n < 100 - late ? 5 : 150));

/** A site that is in time up to a rate, and late at some of the asked times. Returns what was asked. */
function siteOf({ upTo, lateAt = () => false }: { upTo: number; lateAt?: (rate: number, time: number) => boolean }) {
  const asked: number[] = [];
  const run = async (rate: number) => {
    asked.push(rate);
    const time = asked.filter((earlier) => earlier === rate).length;
    if (rate > upTo) return { latencies: latenciesOf(80) };
    return { latencies: latenciesOf(lateAt(rate, time) ? 3 : 0) };
  };
  return { asked, run };
}

it('One slow moment does not decide that a rate is missed.', async () => {
  const { run } = siteOf({ upTo: 300, lateAt: (rate, time) => rate === 40 && time === 1 });
  expect(await findRate(run)).toMatchObject({ rate: 300, askedTwice: [{ rate: 40, p99: [150, 5] }] });
});

it('A rate that is late both times is missed, and both results are noted.', async () => {
  const { run } = siteOf({ upTo: 300, lateAt: (rate) => rate > 70 });
  expect(await findRate(run)).toMatchObject({
    rate: 70,
    askedTwice: [
      { rate: 80, p99: [150, 150] },
      { rate: 75, p99: [150, 150] },
    ],
  });
});

it('A rate at which most requests are late is asked for once.', async () => {
  const { run, asked } = siteOf({ upTo: 300 });
  expect((await findRate(run)).askedTwice).toEqual([]);
  expect(asked).toEqual([20, 40, 80, 160, 320, 240, 280, 300]);
});

it('A site that is late at each rate has the rate 0.', async () => {
  const { run } = siteOf({ upTo: 0 });
  expect(await findRate(run)).toEqual({ rate: 0, result: undefined, askedTwice: [] });
});
