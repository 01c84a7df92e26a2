import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KeptSite, startKeptSite } from '../http/kept-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { propertyRuns } from '../support/property-runs.ts';
import type { Json } from '../support/site.ts';

/** A random change: what is done, and two numbers that say to what, and how. */
type Change = { kind: number; at: number; how: number };

const LANGUAGES = ['en', 'nl', 'de'];
const DATES = [null, '2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'];
const QUERIES = ['/@translations', '?expand=translations', '/@translation-locator?target_language=nl'];

const changes = fc.array(fc.record({ kind: fc.nat(999), at: fc.nat(999), how: fc.nat(999) }), {
  minLength: 25,
  maxLength: 25,
});

const pick = <T>(items: readonly T[], at: number): T => items[at % items.length] as T;

describeEachEngine('translations that are kept while something changes', (engine) => {
  let kept: KeptSite;
  let made = 0;
  beforeAll(async () => {
    kept = await startKeptSite(engine);
    const { status } = await kept.send('PATCH', '/@controlpanels/language', { available_languages: LANGUAGES });
    expect(status).toBe(204);
    // Not in the site root, whose list of children decides whether there are language roots.
    await kept.send('POST', '/', { '@type': 'Folder', id: 'pages', title: 'Pages' });
    await kept.send('POST', '/pages/@workflow/publish', {});
  });
  afterAll(() => kept?.close());

  const name = (): string => {
    made += 1;
    return `page-${made}`;
  };
  const paths = async (): Promise<string[]> => {
    const rows = await kept.site.kernel.db.query<{ path: string }>({
      text: `select path from content where name like 'page-%' or name = any($1) order by oid`,
      values: [LANGUAGES],
    });
    return rows.map(({ path }) => path);
  };
  const create = async (folder: string, more: Json): Promise<string> => {
    const { status, body } = await kept.send('POST', folder, { '@type': PAGE, title: 'Page', id: name(), ...more });
    expect(status, JSON.stringify(body)).toBe(201);
    const path = new URL(body['@id']).pathname;
    await kept.send('POST', `${path}/@workflow/publish`, {});
    return path;
  };

  const CHANGES: ((path: string, other: string, how: number) => Promise<unknown>)[] = [
    (_, __, how) => create('/pages', { language: pick(LANGUAGES, how) }),
    (path, other) => kept.send('POST', `${path}/@translations`, { id: other }),
    (path, other) => kept.send('POST', `${path}/@translations`, { id: other }),
    (path, _, how) => kept.send('DELETE', `${path}/@translations`, { language: pick(LANGUAGES, how) }),
    (path, _, how) =>
      kept.send('POST', '/pages', { '@type': PAGE, id: name(), language: pick(LANGUAGES, how), translation_of: path }),
    (path, _, how) => kept.send('PATCH', path, { language: pick(LANGUAGES, how) }),
    (path, _, how) => kept.send('PATCH', path, { effective: pick(DATES, how), expires: pick(DATES, how >> 2) }),
    (path, _, how) => kept.send('POST', `${path}/@workflow/${pick(['publish', 'retract'], how)}`, {}),
    (path) => kept.send('PATCH', path, { id: name() }),
    (path) => kept.send('POST', '/pages/@copy', { source: path }),
    (path) => kept.send('DELETE', path),
    async () => {
      const { body } = await kept.send('GET', '/@recyclebin');
      const [last] = body.items;
      if (last) await kept.send('POST', `/@recyclebin/${last.recycle_id}/restore`, {});
    },
    (_, __, how) => kept.send('POST', '/', { '@type': 'LRF', id: pick(LANGUAGES, how), title: 'Language' }),
    (_, __, how) => kept.send('POST', `/${pick(LANGUAGES, how)}/@workflow/${pick(['publish', 'retract'], how)}`, {}),
    (_, __, how) => kept.send('PATCH', `/${pick(LANGUAGES, how)}`, { id: name() }),
  ];

  it('translations and language roots equal new ones after each of many random changes', {
    timeout: 240_000,
  }, async () => {
    const live = async (steps: Change[]) => {
      for (const language of LANGUAGES) await create('/pages', { language });
      for (const { kind, at, how } of steps) {
        const there = await paths();
        const read = (places: string[]) => places.flatMap((path) => QUERIES.map((query) => path + query));
        await kept.compare(read(there.slice(-8)), 'no change');
        await pick(CHANGES, kind)(pick(there, at), pick(there, how), how);
        const left = await paths();
        await kept.compare(
          read([...left.slice(-8), pick(left, at)]),
          `change ${kind % CHANGES.length} of ${pick(there, at)} with ${pick(there, how)}, ${how}`,
        );
      }
    };
    await fc.assert(fc.asyncProperty(changes, live), { numRuns: propertyRuns(1, 4) });
  });

  it('a write elsewhere leaves translations as they are kept, and one of a translation does not', async () => {
    const [english, dutch] = [await create('/pages', { language: 'en' }), await create('/pages', { language: 'nl' })];
    const elsewhere = await create('/pages', {});
    const link = async (id: string) => (await kept.send('POST', `${english}/@translations`, { id })).status;
    expect(await link(dutch)).toBe(204);
    const address = `${english}?expand=translations`;
    const read = async (): Promise<Json> =>
      (await kept.site.request('GET', address, { as: 'anonymous' })).body['@components'].translations;
    const before = await read();
    expect(before.items.map(({ language }: Json) => language)).toEqual(['nl']);
    await read();
    await kept.send('PATCH', elsewhere, { title: 'Another' });
    expect(await kept.statementsOf(async () => expect(await read()).toEqual(before))).toEqual([]);
    await kept.send('POST', `${dutch}/@workflow/retract`, {});
    expect((await read()).items).toEqual([]);
    // The third comes into the group through the second, which touches the first in nothing.
    await kept.send('POST', `${dutch}/@workflow/publish`, {});
    const german = await create('/pages', { language: 'de' });
    await read();
    expect((await kept.send('POST', `${dutch}/@translations`, { id: german })).status).toBe(204);
    expect((await read()).items.map(({ language }: Json) => language)).toEqual(['de', 'nl']);
    await kept.send('DELETE', `${dutch}/@translations`, { language: 'de' });
    await read();
    const other = await kept.send('POST', '/', {
      '@type': PAGE,
      title: 'Seite',
      language: 'de',
      translation_of: dutch,
    });
    await kept.send('POST', `${new URL(other.body['@id']).pathname}/@workflow/publish`, {});
    expect((await read()).items.map(({ language }: Json) => language)).toEqual(['de', 'nl']);
  });
});
