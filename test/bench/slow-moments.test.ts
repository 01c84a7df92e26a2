import { expect, it } from 'vitest';
import { slowMoments } from '../../bench/day/slow-moments.mjs';

it('Late requests that wait at the same time are one moment.', () => {
  const requests = [
    { name: 'page', due: 40, ms: 160 },
    { name: 'search', due: 0, ms: 200 },
    { name: 'page', due: 50, ms: 150 },
    { name: 'page', due: 60, ms: 20 },
    { name: 'feed', due: 900, ms: 120 },
  ];
  expect(slowMoments(requests, 100)).toEqual([
    { from: 0, to: 200, names: 'page (2), search (1)', longest: requests[1] },
    { from: 900, to: 1020, names: 'feed (1)', longest: requests[4] },
  ]);
});

it('Of many moments the longest are returned, in the order of their time.', () => {
  const requests = Array.from({ length: 20 }, (_, n) => ({ name: 'page', due: n * 1000, ms: n === 3 ? 100 : 100 + n }));
  expect(slowMoments(requests, 100).map(({ from }) => from)).toEqual(
    [12, 13, 14, 15, 16, 17, 18, 19].map((n) => n * 1000),
  );
});
