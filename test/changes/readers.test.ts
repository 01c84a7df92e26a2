import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { addPerson, tokenOf } from '../content/people.ts';
import { CALLERS } from '../security/matrix/row.ts';
import { describeEachEngine } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import type { Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { allSince, changesOf, type Item, now } from './client.ts';

/** Places that the writers work at: a place that is not there, or a write that is not possible, is a response of 4xx. */
const PLACES = ['/a', '/b', '/a/c', '/a/d', '/b/c', '/a/c/d'];
const place = fc.constantFrom(...PLACES);

const write = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('make' as const), at: place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('publish', 'retract', 'edit', 'remove'), at: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('move', 'copy'), at: place, to: place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('share' as const),
      at: place,
      role: fc.constantFrom('Reader', 'Editor'),
      on: fc.boolean(),
    }),
  },
);
type Write = { kind: string; at: string; to?: string; role?: string; on?: boolean };

/** Returns what a reader has after these events: the addresses of the objects that it sees by their UIDs. */
function seenAfter(known: ReadonlyMap<string, string>, items: readonly Item[]): Map<string, string> {
  const seen = new Map(known);
  for (const { event, UID, after } of items) {
    if (event === 'removed') seen.delete(UID);
    else if (after) seen.set(UID, after.path);
  }
  return seen;
}

describeEachEngine('readers of the feed', (engine) => {
  const site = useTestSite(engine);
  const callers: { name: string; as: Who }[] = [];
  let admin: Who;

  beforeAll(async () => {
    admin = await tokenOf(site, 'admin');
    callers.push({ name: 'Anonymous', as: 'anonymous' });
    for (const name of CALLERS.slice(1)) {
      const roles = name === 'Owner' || name === 'Member' ? ['Member'] : ['Member', name];
      callers.push({ name, as: await addPerson(site, { id: name.toLowerCase().replace(' ', '-'), roles }) });
    }
  });

  async function run({ kind, at, to = '', role = '', on }: Write): Promise<void> {
    const parent = at.slice(0, at.lastIndexOf('/')) || '/';
    const target = to.slice(0, to.lastIndexOf('/')) || '/';
    const requests: Record<string, [string, string, object?]> = {
      make: ['POST', parent, { '@type': 'Folder', id: at.slice(at.lastIndexOf('/') + 1), title: 'Made' }],
      publish: ['POST', `${at}/@workflow/publish`],
      retract: ['POST', `${at}/@workflow/retract`],
      edit: ['PATCH', at, { title: `Edited ${Math.random()}` }],
      remove: ['DELETE', at],
      move: ['POST', `${target === '/' ? '' : target}/@move`, { source: at }],
      copy: ['POST', `${target === '/' ? '' : target}/@copy`, { source: at }],
      share: ['POST', `${at}/@sharing`, { entries: [{ id: 'member', type: 'user', roles: { [role]: on } }] }],
    };
    const [method, path, json] = requests[kind] ?? ['GET', '/'];
    const { status, text } = await site.request(method, path, { as: admin, ...(json && { json }) });
    expect(status, text).toBeLessThan(500);
  }

  /** Reads the feed in pieces of random sizes until it is asked to stop, and then to the end. */
  async function readInPieces(
    as: Who,
    since: string,
    sizes: readonly number[],
    isOver: () => boolean,
  ): Promise<Item[]> {
    const items: Item[] = [];
    for (let [cursor, piece] = [since, 0]; ; piece += 1) {
      const wasOver = isOver();
      const limit = String(sizes[piece % sizes.length] ?? 1);
      const page = await changesOf(site, as, { since: cursor, limit });
      items.push(...page.items);
      cursor = page.cursor;
      if (wasOver && page.items.length === 0 && !page.more) return items;
    }
  }

  /** All that a caller sees now, by the list. */
  async function listed(as: Who): Promise<Map<string, string>> {
    let page = await changesOf(site, as);
    const items = [...page.items];
    while (page.more) {
      page = await changesOf(site, as, { since: page.cursor });
      items.push(...page.items);
    }
    return seenAfter(new Map(), items);
  }

  it('Each reads the same in any pieces while others write, and ends with exactly what it sees.', {
    timeout: 300_000,
  }, async () => {
    const streams = fc.array(fc.array(write, { minLength: 3, maxLength: 10 }), { minLength: 3, maxLength: 3 });
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(streams, sizes, async (writers: Write[][], pieces) => {
        const begun = new Map<string, { since: string; known: Map<string, string> }>();
        for (const { name, as } of callers) begun.set(name, { since: await now(site, as), known: await listed(as) });
        let isOver = false;
        const reading = callers.flatMap(({ name, as }) =>
          [0, 1, 2].map(async (turn) => {
            const since = begun.get(name)?.since ?? '';
            return { name, items: await readInPieces(as, since, pieces.slice(turn).concat(pieces), () => isOver) };
          }),
        );
        await Promise.all(
          writers.map(async (writes) => {
            for (const one of writes) await run(one);
          }),
        );
        isOver = true;
        const read = await Promise.all(reading);
        for (const { name, as } of callers) {
          const { since, known } = begun.get(name) ?? { since: '', known: new Map<string, string>() };
          const whole = (await allSince(site, as, since)).items;
          for (const { items } of read.filter((one) => one.name === name)) expect(items).toEqual(whole);
          expect(seenAfter(known, whole), name).toEqual(await listed(as));
          for (const { before, after, event } of whole)
            expect({ before: before !== null, after: after !== null }, event).toEqual({
              before: !['created', 'restored'].includes(event),
              after: event !== 'removed',
            });
          // What is not seen in the end by visitors, and was not when it began, comes only where it was seen between.
          for (const path of new Set((await listed(as)).values()))
            expect((await site.request('GET', path, { as })).status, `${name} ${path}`).toBe(200);
        }
        for (const path of ['/a', '/b']) await site.request('DELETE', path, { as: admin });
      }),
      { numRuns: propertyRuns(2, 20) },
    );
  });
});
