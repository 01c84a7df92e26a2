import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CORE_INDEXES } from '../../src/core/search/core-indexes.ts';
import { describeEachEngine } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const P = 'plone.app.querystring.operation.';
const index = fc.constantFrom(
  ...CORE_INDEXES.map(({ name }) => name),
  'path',
  'unknown',
  '__proto__',
  'constructor',
  "x'; drop table content; --",
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '*',
    '(',
    '"',
    "'",
    '\\',
    ':*',
    'and',
    'NOT',
    'a or',
    '" "',
    '\u0000',
    '%',
    '-1',
    '1e400',
    'NaN',
    'true',
    '2026-01-01',
  ),
  fc.constantFrom(
    '0000-00-00',
    '9999-12-31T23:59:59Z',
    '/',
    '/../..',
    '::',
    '/::-1',
    '::99999999999',
    'x'.repeat(3000),
    '½',
    '\ud83d',
  ),
);
const parameter = fc.tuple(
  fc
    .oneof(
      fc.tuple(
        index,
        fc.constantFrom('', '.query', '.not', '.range', '.operator', '.depth', '.x'),
        fc.constantFrom('', ':int', ':list', ':date', ':boolean', ':tokens', ':float'),
      ),
      fc.tuple(
        fc.constantFrom(
          'sort_on',
          'sort_order',
          'sort_limit',
          'b_size',
          'b_start',
          'metadata_fields',
          'fullobjects',
          'use_site_search_settings',
          'show_inactive',
        ),
        fc.constant(''),
        fc.constant(''),
      ),
    )
    .map((parts) => parts.join('')),
  fc.oneof(text, index, fc.constantFrom('min', 'max', 'minmax', 'and', 'or', 'descending', '1', '0')),
);

const operation = fc.oneof(
  fc.constantFrom(
    'string.is',
    'string.isNot',
    'string.contains',
    'string.currentUser',
    'string.showInactive',
    'string.absolutePath',
    'string.path',
    'string.relativePath',
  ),
  fc.constantFrom(
    'selection.is',
    'selection.any',
    'selection.all',
    'selection.none',
    'intselection.is',
    'list.contains',
    'reference.is',
    'boolean.isTrue',
    'int.is',
    'int.lessThan',
  ),
  fc.constantFrom(
    'date.lessThan',
    'date.largerThan',
    'date.between',
    'date.lessThanRelativeDate',
    'date.largerThanRelativeDate',
    'date.today',
    'date.beforeToday',
    'date.afterRelativeDate',
    'toString',
    'BOGUS',
  ),
);
const value = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 2 }),
  fc.array(text, { maxLength: 3 }),
  fc.integer(),
  fc.double(),
);
const row = fc.record(
  {
    i: fc.oneof(index, value),
    o: fc.oneof(
      operation,
      operation.map((name) => P + name),
    ),
    v: value,
  },
  { requiredKeys: ['i', 'o'] },
);
const listing = fc.record(
  {
    query: fc.oneof(fc.array(row, { maxLength: 4 }), value),
    sort_on: fc.oneof(index, value),
    sort_order: value,
    limit: value,
    b_size: value,
    b_start: value,
    fullobjects: value,
    metadata_fields: value,
  },
  { requiredKeys: ['query'] },
);

describeEachEngine('queries of any form', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
    await site.request('POST', '/', {
      json: { '@type': 'Event', title: 'Event', start: '2031-01-01', end: '2031-01-02' },
    });
  });
  afterAll(() => site?.close());

  it('@search returns results or 400 for any query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(parameter, { maxLength: 5 }), async (parameters) => {
        const query = new URLSearchParams(
          parameters.map(([name, one]): [string, string] => [name.toWellFormed(), one.toWellFormed()]),
        );
        const { status, text: answer } = await site.request('GET', `/@search?${query}`);
        expect([200, 400], `${query}: ${answer}`).toContain(status);
      }),
      { numRuns: propertyRuns(80, 500) },
    );
  });

  it('@querystring-search returns results or 400 for any query', async () => {
    await fc.assert(
      fc.asyncProperty(listing, async (json) => {
        const { status, text: answer } = await site.request('POST', '/@querystring-search', { json });
        expect([200, 400], answer).toContain(status);
        const query = new URLSearchParams({ query: JSON.stringify(json) });
        expect((await site.request('GET', `/@querystring-search?${query}`)).status).toBe(status);
      }),
      { numRuns: propertyRuns(80, 500) },
    );
  });

  it('searches with any query do not change content', async () => {
    expect((await site.request('GET', '/@search?portal_type=Event')).body.items_total).toBe(1);
  });
});
