import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reindexSite } from '../../src/core/content/reindex-site.ts';
import { type CatalogQuery, constraint } from '../../src/core/search/query.ts';
import { ANONYMOUS, callerFor } from '../../src/core/security/caller.ts';
import { queryPlan } from '../support/query-plan.ts';
import { createTestKernel } from '../support/site.ts';
import { addFields, dateField, flagField, integerField, listField, longTextField, textField } from './declare.ts';

const DOCUMENTS = 25_000;
/** The most pages of 8 kB that a query with about ten results may read, however large the site is. */
const MAX_BLOCKS = 2500;

const PEOPLE = {
  Anonymous: ANONYMOUS,
  'someone with few rights': callerFor({ id: 'reader', login: 'reader', fullname: '', roles: ['Member'], groups: [] }),
};

const one = (index: string, values: unknown[], more: Parameters<typeof constraint>[1] = {}): CatalogQuery => ({
  constraints: [{ index, constraint: constraint(values, more) }],
  sort: [],
});

const QUERIES: Record<string, { query: CatalogQuery; index: string }> = {
  'a number': { query: one('rating', ['1234']), index: 'catalog_custom' },
  'a range of numbers': { query: one('rating', ['4990'], { range: 'min' }), index: 'catalog_value_number' },
  'numbers between bounds': { query: one('price', [100, 102], { range: 'min:max' }), index: 'catalog_value_number' },
  'a text': { query: one('place', ['place 77']), index: 'catalog_custom' },
  'a range of texts': { query: one('place', ['place 999'], { range: 'min' }), index: 'catalog_value_text' },
  'two keywords': { query: one('audience', ['a5', 'b7'], { operator: 'and' }), index: 'catalog_custom' },
  'a day': { query: one('due', ['2031-05-01']), index: 'catalog_value_at' },
  'a range of dates': { query: one('due', ['2058-10-01'], { range: 'min' }), index: 'catalog_value_at' },
  'a word of a field': { query: one('summary', ['needle77']), index: 'catalog_searchable' },
  'the beginning of a word of a field': { query: one('summary', ['needle123*']), index: 'catalog_searchable' },
  'a number, sorted by another index': {
    query: { ...one('rating', ['1234']), sort: [{ on: 'due', descending: true }] },
    index: 'catalog_custom',
  },
};

describe(`declared indexes on a site of ${DOCUMENTS} documents`, () => {
  let site: Awaited<ReturnType<typeof createTestKernel>>;

  beforeAll(async () => {
    site = await createTestKernel('postgresql');
    const { kernel } = site;
    await kernel.db.script(`set seed.documents = ${DOCUMENTS};\n${readFileSync('bench/seed.sql', 'utf8')}`);
    // Numbers, dates and texts are kept in the same columns, and so share their statistics.
    await kernel.db.script(`update content set fields = fields || jsonb_build_object('rating', oid % 5000, 'price', oid % 700,
        'place', 'place ' || oid % 1000, 'audience', jsonb_build_array('a' || oid % 40, 'b' || oid % 60),
        'due', to_char('2026-01-01'::date + (oid % 12000)::int, 'YYYY-MM-DD'), 'urgent', oid % 2 = 0,
        'summary', 'On needle' || oid % 1250 || ' and harbours')
      where type = 'Page'`);
    await addFields(kernel, 'Page', {
      rating: integerField(),
      price: integerField(),
      place: textField(),
      audience: listField(),
      due: dateField(),
      urgent: flagField(),
      summary: longTextField(),
    });
    await reindexSite(kernel);
    await kernel.db.script('vacuum analyze');
    // The indexes are declared after the content was written, without a reindex.
    await addFields(kernel, 'Page', {
      rating: integerField({ index: 'number' }),
      price: integerField({ index: 'number' }),
      place: textField({ index: 'field' }),
      audience: listField({ index: 'keyword' }),
      due: dateField({ index: 'date' }),
      urgent: flagField({ index: 'boolean' }),
      summary: longTextField({ index: 'text' }),
    });
  });
  afterAll(() => site?.close());

  for (const [who, caller] of Object.entries(PEOPLE)) {
    it.each(Object.entries(QUERIES))(
      `on a large site the declared index %s is looked up in a database index for ${who}`,
      async (_name, { query, index }) => {
        const { scanned, indexes, blocks } = await queryPlan(site.kernel, query, caller);
        expect(scanned).toEqual([]);
        expect(indexes).toContain(index);
        expect(blocks).toBeLessThan(MAX_BLOCKS);
      },
    );
  }

  it('sorting everything by a declared index reads no more than sorting it by a column', async () => {
    const by = async (on: string) =>
      (await queryPlan(site.kernel, { constraints: [], sort: [{ on, descending: false }] }, ANONYMOUS)).blocks;
    expect(await by('rating')).toBeLessThan((await by('effective')) * 1.1);
  });
});
