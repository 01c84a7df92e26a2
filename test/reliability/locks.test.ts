import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lockRows } from '../../src/core/content/statements/load-content.ts';
import { make } from '../content/make.ts';
import { engines } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { useTestSite } from '../support/use-site.ts';

describe.skipIf(!engines().includes('postgresql'))('writers at the same place', () => {
  const site = useTestSite('postgresql');

  /** A transaction that locks a path until `end` is called. `held` resolves as soon as it has the lock. */
  function holder(path: string, mode: 'shared' | 'exclusive') {
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let isHeld: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const done = site.kernel.db.transaction(async (tx) => {
      await lockRows(tx, [path], mode);
      isHeld();
      await ended;
    });
    return { held, end, done };
  }

  it('writers at one place take turns in the order in which they came', async () => {
    const path = await make(site.kernel, '/', { '@type': 'Folder', id: 'turns' });
    const order: string[] = [];
    const creator = holder(path, 'shared');
    await creator.held;
    const change = holder(path, 'exclusive');
    void change.held.then(() => order.push('change'));
    await sleep(200);
    const later = [holder(path, 'shared'), holder(path, 'shared')];
    for (const { held } of later) void held.then(() => order.push('later creator'));
    await sleep(200);
    expect(order).toEqual([]);
    creator.end();
    await change.held;
    await sleep(100);
    expect(order).toEqual(['change']);
    change.end();
    await Promise.all(later.map(({ held }) => held));
    for (const { end } of later) end();
    await Promise.all([creator, change, ...later].map(({ done }) => done));
  });

  it('readers do not wait for writers, and a writer that waits too long gets Retry-After', async () => {
    const path = await make(site.kernel, '/', { '@type': 'Folder', id: 'big' }, { state: 'published' });
    const long = holder(path, 'exclusive');
    await long.held;
    const changes = Array.from({ length: propertyRuns(6, 12) }, (_, n) =>
      site.request('PATCH', path, { json: { title: `Title ${n}` } }),
    );
    await sleep(300);
    const times: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const began = performance.now();
      const { status } = await site.request('GET', `/?expand=none-${n}`, { as: 'anonymous' });
      times.push(performance.now() - began);
      expect(status).toBe(200);
    }
    expect(Math.max(...times)).toBeLessThan(3000);
    const answers = await Promise.all(changes);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    for (const { headers, body } of answers) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body.type).toBe('ServiceUnavailable');
    }
    long.end();
    await long.done;
    expect((await site.request('PATCH', path, { json: { title: 'After' } })).status).toBe(204);
  });
});
