import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reindexSite } from '../../src/core/content/reindex-site.ts';
import { addFields, dateField, integerField, listField, longTextField } from '../search/declare.ts';
import { describeEachEngine } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const TYPES = ['Folder', 'Page', 'Event', 'Link', 'News Item'];
const word = fc.constantFrom('harbour', 'Running', 'Ärger', 'ночь', 'the', '12 parts', '"', '');

/** One write; `at` and `to` are numbers that select existing objects. */
const write = fc.record({
  kind: fc.constantFrom(
    'create',
    'create',
    'create',
    'change',
    'rename',
    'transition',
    'below',
    'share',
    'order',
    'remove',
    'tag',
    'declared',
    'declare',
    'move',
    'copy',
  ),
  at: fc.nat(50),
  to: fc.nat(50),
  type: fc.constantFrom(...TYPES),
  title: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `x ${words.join(' ')}`),
  flag: fc.boolean(),
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

const BODIES: Record<string, object> = {
  Event: { start: '2030-01-31T10:00:00Z', end: '2030-01-31T11:00:00Z', recurrence: 'RRULE:FREQ=MONTHLY;COUNT=5' },
  Page: {
    blocks: { a: { '@type': 'slate', plaintext: 'runners ran', value: [] }, b: { '@type': 'teaser' } },
    blocks_layout: { items: ['a', 'b'] },
  },
};

/** Fields of pages, some of which declare an index. */
const declarations = (on: boolean) => ({
  rating: integerField(on ? { index: 'number', column: true } : {}),
  audience: listField(on ? { index: 'keyword' } : {}),
  due: dateField(on ? { index: 'date' } : {}),
  summary: longTextField(on ? { index: 'text' } : {}),
});

describeEachEngine('the catalog', (engine) => {
  let site: TestSite;
  let paths: string[];

  beforeAll(async () => {
    site = await startTestSite(engine);
    await addFields(site.kernel, 'Page', declarations(false));
    await site.request('POST', '/@users', {
      json: { username: 'ann', email: 'ann@example.org', password: 'annannann' },
    });
  });
  afterAll(() => site?.close());

  const pick = (at: number): string => paths[at % paths.length] ?? '';

  /** Loads the present paths of all objects. */
  async function readPaths(): Promise<void> {
    const rows = await site.kernel.db.query<{ path: string }>({ text: 'select path from content' });
    paths = rows.map(({ path }) => (path === '/' ? '' : path));
  }

  /** Sends one write. It may be rejected, but a response of 500 or above fails the test. */
  async function apply({ kind, at, to, type, title, flag }: Write): Promise<void> {
    const path = pick(at);
    const other = pick(to);
    const send = async (method: string, where: string, json?: unknown) => {
      const answer = await site.request(method, where || '/', json === undefined ? {} : { json });
      expect(answer.status, answer.text).toBeLessThan(500);
      return answer;
    };
    if (kind === 'create') {
      const { status, body } = await send('POST', path, { '@type': type, title, ...BODIES[type] });
      if (status === 201) paths.push(body['@id'].slice(site.url.length));
    }
    if (kind === 'change') await send('PATCH', path, { title, exclude_from_nav: flag, description: title });
    if (kind === 'tag')
      await send('PATCH', path, {
        subjects: flag ? ['a', title] : [],
        relatedItems: [other],
        expires: '2040-01-01T00:00:00Z',
      });
    if (kind === 'declared')
      await send('PATCH', path, {
        rating: flag ? at : null,
        audience: flag ? ['a', title.trim()] : [],
        due: flag ? '2031-05-01' : null,
        summary: title,
      });
    if (kind === 'declare') await addFields(site.kernel, 'Page', declarations(flag));
    if (kind === 'transition') await send('POST', `${path}/@workflow/${flag ? 'publish' : 'retract'}`, {});
    if (kind === 'below') await send('POST', `${path}/@workflow/publish`, { include_children: true });
    if (kind === 'share')
      await send('POST', `${path}/@sharing`, {
        entries: [{ id: 'ann', type: 'user', roles: { Reader: flag } }],
        inherit: !flag,
      });
    if (kind === 'order')
      await send('PATCH', path, { ordering: { obj_id: other.split('/').at(-1), delta: flag ? 'top' : 'bottom' } });
    if (kind === 'remove' && path !== '') {
      const { status } = await send('DELETE', path);
      if (status === 204) paths = paths.filter((one) => one !== path && !one.startsWith(`${path}/`));
    }
    if ((kind === 'move' || kind === 'copy') && path !== '') {
      await send('POST', `${other}/@${kind}`, { source: path });
      await readPaths();
    }
    if (kind === 'rename' && path !== '') {
      const { status } = await send('PATCH', path, { id: `${title.replace(/[^a-z]/g, '')}-${to}` });
      if (status === 204) await readPaths();
    }
  }

  const snapshot = () =>
    site.kernel.db.query({
      text: `select c.path, k.allowed, k.searchable::text, k.exclude_from_nav, k.sortable_title, k.subjects, k.block_types,
          k.starts::text, k.ends::text, k.custom,
          (select jsonb_agg(to_jsonb(v) - 'oid' order by v.name) from catalog_value v where v.oid = c.oid) as ranged,
          (select jsonb_agg(jsonb_build_array(r.relation, r.position, r.target) order by r.position) from reference r where r.source = c.oid) as refs
        from content c left join catalog k using (oid) order by c.path`,
    });

  it('the catalog that writes keep up to date equals one that is built from scratch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 5, maxLength: 25 }), async (writes) => {
        const { body } = await site.request('GET', '/?b_size=1000');
        for (const { '@id': id } of body.items) await site.request('DELETE', id);
        paths = [''];
        for (const one of writes) await apply(one);
        const live = await snapshot();
        await site.kernel.db.query({ text: 'delete from catalog' });
        await site.kernel.db.query({ text: 'delete from reference' });
        await reindexSite(site.kernel);
        expect(live).toEqual(await snapshot());
      }),
      { numRuns: propertyRuns(5, 30) },
    );
  });

  it('a rebuild replaces wrong rows of the catalog and reports its progress', async () => {
    const right = await snapshot();
    await site.kernel.db.query({ text: `update catalog set allowed = '{}', searchable = '', subjects = '{wrong}'` });
    await site.kernel.db.query({ text: `update catalog_value set number = -1, text = 'wrong', at = now()` });
    await site.kernel.db.query({
      text: `insert into catalog_value (oid, name, text) select oid, 'wrong', 'x' from catalog`,
    });
    await site.kernel.db.query({ text: `insert into reference select oid, 'wrong', 900, 'x' from content` });
    const told: number[][] = [];
    const count = await reindexSite(site.kernel, { progress: (done, total) => told.push([done, total]) });
    expect(await snapshot()).toEqual(right);
    expect(told.at(-1)).toEqual([count, count]);
  });

  it('the catalog can be rebuilt while others write', async () => {
    await site.request('POST', '/', { json: { '@type': 'Folder', id: 'busy', title: 'Busy' } });
    for (let i = 0; i < 10; i += 1)
      await site.request('POST', '/busy', { json: { '@type': 'Page', id: `p${i}`, title: 'Page' } });
    const writes = async () => {
      for (let i = 0; i < 10; i += 1) {
        const results = await Promise.all([
          site.request('PATCH', `/busy/p${i}`, { json: { title: `Changed ${i}` } }),
          site.request('POST', `/busy/@sharing`, {
            json: { entries: [{ id: 'ann', type: 'user', roles: { Reader: i % 2 === 0 } }] },
          }),
          site.request('POST', '/busy', { json: { '@type': 'Page', title: 'New' } }),
        ]);
        for (const { status, text } of results) expect(status, text).toBeLessThan(300);
      }
    };
    await Promise.all([writes(), reindexSite(site.kernel), reindexSite(site.kernel)]);
    const live = await snapshot();
    await reindexSite(site.kernel);
    expect(live).toEqual(await snapshot());
  });
});
