import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import type { Exchange } from '../support/site.ts';
import { type MoveSite, startMoveSite } from './move-site.ts';
import { treeProblems } from './tree-problems.ts';

/** Rounds of each client; more with TEST_SLOW=1. */
const ROUNDS = propertyRuns(30, 500);

describeEachEngine('two clients in one subtree', (engine) => {
  let site: MoveSite;
  /** A function that a move waits for before it commits. */
  let onMove: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    site = await startMoveSite(engine);
    site.kernel.events.on('content.moved', () => onMove?.());
  });
  afterAll(() => site?.close());

  /** A generator of numbers below `end`, the same ones for the same seed. */
  function dice(seed: number): (end: number) => number {
    let state = seed;
    return (end) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * end);
    };
  }

  /** The path of any object in the subtree, or a path that it had a moment ago. */
  async function somewhere(roll: (end: number) => number): Promise<string> {
    const rows = await site.kernel.db.query<{ path: string }>({
      text: "select path from content where path = '/arena' or starts_with(path, '/arena/') order by oid",
    });
    return rows[roll(rows.length)]?.path ?? '/arena';
  }

  async function act(
    client: number,
    round: number,
    roll: (end: number) => number,
  ): Promise<{ status: number; text: string }> {
    const place = await somewhere(roll);
    const id = `c${client}-${round}`;
    switch (roll(8)) {
      case 0:
      case 1:
        return site.request('POST', place, { json: { '@type': 'Folder', title: id, id } });
      case 2:
      case 3:
      case 4:
        return site.move(place, await somewhere(roll));
      case 5:
        return place.split('/').length > 6 ? site.move('/arena', place) : site.copy(place, await somewhere(roll));
      case 6:
        return place === '/arena'
          ? site.read(place).then(() => ({ status: 200, text: '' }))
          : site.request('PATCH', place, { json: { id } });
      default:
        return place.split('/').length < 4 ? site.request('GET', place) : site.request('DELETE', place);
    }
  }

  it(`two clients can move, copy, rename, add and delete in one subtree for ${ROUNDS} rounds without a failure`, {
    timeout: 60_000 + ROUNDS * 1000,
  }, async () => {
    await site.add('/', 'arena');
    for (const a of ['a', 'b', 'c']) {
      const path = await site.add('/arena', a);
      for (const b of ['x', 'y']) await site.add(path, b);
    }
    const failures: string[] = [];
    const client = async (number: number): Promise<void> => {
      const roll = dice(4711 + number);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { status, text } = await act(number, round, roll);
        if (status >= 500) failures.push(`${status} ${text.slice(0, 200)}`);
      }
    };
    await Promise.all([client(1), client(2)]);
    expect(failures).toEqual([]);
    expect(await treeProblems(site.kernel)).toEqual([]);
  });

  it('two clients that move two folders into each other end with one inside the other', async () => {
    await site.add('/', 'duel');
    for (let round = 0; round < Math.min(ROUNDS, 30); round += 1) {
      const [a, b] = [await site.add('/duel', `a${round}`), await site.add('/duel', `b${round}`)];
      const answers = await Promise.all([site.move(b, a), site.move(a, b)]);
      const moved = answers.map(({ status, body }) => (status === 200 ? body.length : 0));
      expect(
        answers.every(({ status }) => status === 200 || status === 404 || status === 307),
        JSON.stringify(answers.map((r) => r.text)),
      ).toBe(true);
      expect(moved.filter((count) => count === 1)).toHaveLength(1);
    }
    expect(await treeProblems(site.kernel)).toEqual([]);
  });

  /** Does `work` while a request has moved something and has not committed yet. Returns the answers of both. */
  async function during<T>(request: () => Promise<Exchange>, work: () => Promise<T>): Promise<[Exchange, T]> {
    let release = () => {};
    const moved = new Promise<void>((isMoved) => {
      onMove = () => {
        onMove = undefined;
        isMoved();
        return new Promise((go) => {
          release = go;
        });
      };
    });
    const answer = request();
    await Promise.race([moved, answer]);
    const done = await work().finally(() => release());
    return [await answer, done];
  }

  /** Waits until so many requests wait for a lock. */
  const untilWaiting = (count: number) =>
    vi.waitFor(
      async () => {
        const [row] = await site.kernel.db.query<{ n: number }>({
          text: `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        });
        expect(row?.n).toBeGreaterThanOrEqual(count);
      },
      { timeout: 10_000 },
    );

  // The embedded database runs one transaction at a time.
  it.runIf(engine === 'postgresql')(
    'others write meanwhile where something is moved to, and in the whole site for the root',
    async () => {
      const from = await site.add(await site.add('/', 'leaving'), 'goes-to-root');
      const [elsewhere, beside] = [await site.add('/', 'elsewhere'), await site.add('/', 'beside')];
      const writes = () =>
        Promise.all([
          site.request('PATCH', elsewhere, { json: { title: 'Changed' } }),
          site.request('POST', '/', { json: { '@type': 'Folder', title: 'New', id: 'new-in-root' } }),
          site.request('PATCH', beside, { json: { id: 'beside-2' } }),
        ]);
      const [moved, written] = await during(() => site.move('/', from), writes);
      expect([moved.status, ...written.map(({ status }) => status)]).toEqual([200, 204, 201, 204]);
      expect(await site.childIds('/')).toEqual(expect.arrayContaining(['goes-to-root', 'new-in-root', 'beside-2']));
      const [renamed, added] = await during(
        () => site.request('PATCH', '/goes-to-root', { json: { id: 'renamed' } }),
        () => site.add('/', 'new-beside-renamed'),
      );
      expect([renamed.status, added]).toEqual([204, '/new-beside-renamed']);
      expect(await treeProblems(site.kernel)).toEqual([]);
    },
  );

  it.runIf(engine === 'postgresql')(
    'who wants the name of what is being moved or renamed there gets another one, or is told that it is taken',
    async () => {
      const target = await site.add('/', 'wanted');
      const [one, other] = [await site.add('/', 'one'), await site.add('/', 'other')];
      const [first, second] = [await site.add(one, 'name'), await site.add(other, 'name')];
      const rivals = () => [
        site.move(target, second),
        site.request('POST', target, { json: { '@type': 'Folder', title: 'Name' } }),
        site.request('POST', target, { json: { '@type': 'Folder', title: 'Name', id: 'name' } }),
      ];
      // They wait for the move, so that their answers come after it.
      let waiting: Promise<Exchange>[] = [];
      const [moved] = await during(
        () => site.move(target, first),
        async () => {
          waiting = rivals();
          await untilWaiting(waiting.length);
        },
      );
      const answers = await Promise.all(waiting);
      expect([moved.status, ...answers.map(({ status }) => status)]).toEqual([200, 200, 201, 400]);
      expect((await site.childIds(target)).sort()).toEqual(['copy_of_name', 'name', 'name-1']);

      const [left, right] = [await site.add(target, 'left'), await site.add(target, 'right')];
      const [renamed] = await during(
        () => site.request('PATCH', left, { json: { id: 'middle' } }),
        async () => {
          waiting = [site.request('PATCH', right, { json: { id: 'middle' } })];
          await untilWaiting(1);
        },
      );
      const [refused] = await Promise.all(waiting);
      expect([renamed.status, refused?.status]).toEqual([204, 400]);
      expect(await treeProblems(site.kernel)).toEqual([]);
    },
  );

  it('two clients that copy to one container at once get two ids', async () => {
    const [from, to] = [await site.add('/', 'twin'), await site.add('/', 'twins')];
    const answers = await Promise.all([1, 2, 3, 4].map(() => site.copy(to, from)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await site.childIds(to)).sort()).toEqual(['copy2_of_twin', 'copy3_of_twin', 'copy_of_twin', 'twin']);
  });
});
