import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reindexSite } from '../../src/core/content/reindex-site.ts';
import { type CatalogQuery, constraint } from '../../src/core/search/query.ts';
import { ANONYMOUS, callerFor } from '../../src/core/security/caller.ts';
import { queryPlan } from '../support/query-plan.ts';
import { createTestKernel } from '../support/site.ts';

const DOCUMENTS = 25_000;
/** The most pages of 8 kB that a query with few results may read, however large the site is. */
const MAX_BLOCKS = 2500;

const PEOPLE = {
  Anonymous: ANONYMOUS,
  'someone with few rights': callerFor({ id: 'reader', login: 'reader', fullname: '', roles: ['Member'], groups: [] }),
};

const QUERIES: Record<string, { query: CatalogQuery; indexes: RegExp }> = {
  'a selective word': {
    query: { constraints: [{ index: 'SearchableText', constraint: constraint(['needle77']) }], sort: [] },
    indexes: /^catalog_searchable$/,
  },
  'the beginning of a word in titles': {
    query: { constraints: [{ index: 'Title', constraint: constraint(['1234*']) }], sort: [] },
    indexes: /^catalog_searchable$/,
  },
  'a folder and a type by effective date': {
    query: {
      constraints: [{ index: 'portal_type', constraint: constraint(['Page']) }],
      paths: [{ path: '/section-3/folder-7/part-1' }],
      sort: [{ on: 'effective', descending: true }],
    },
    indexes: /^content_(type_path|path_key)$/,
  },
  'the children of a folder in their order': {
    query: {
      constraints: [],
      paths: [{ path: '/section-3', depth: 1 }],
      sort: [{ on: 'getObjPositionInParent', descending: false }],
    },
    indexes: /^content_(children|name_unique)$/,
  },
  'what was created lately': {
    query: {
      constraints: [{ index: 'created', constraint: constraint([new Date(Date.now() - 3_600_000)], { range: 'min' }) }],
      sort: [{ on: 'created', descending: true }],
    },
    indexes: /^content_created$/,
  },
  'a UID': {
    query: { constraints: [{ index: 'UID', constraint: constraint(['x']) }], sort: [] },
    indexes: /^content_uid_key$/,
  },
  'an id': {
    query: { constraints: [{ index: 'getId', constraint: constraint(['page-20000']) }], sort: [] },
    indexes: /^content_name$/,
  },
};

describe(`queries on a site of ${DOCUMENTS} documents`, () => {
  let site: Awaited<ReturnType<typeof createTestKernel>>;

  beforeAll(async () => {
    site = await createTestKernel('postgresql');
    const { db } = site.kernel;
    await db.script(`set seed.documents = ${DOCUMENTS};\n${readFileSync('bench/seed.sql', 'utf8')}`);
    await reindexSite(site.kernel);
    await db.script('vacuum analyze');
  });
  afterAll(() => site?.close());

  for (const [who, caller] of Object.entries(PEOPLE)) {
    it.each(Object.entries(QUERIES))(`%s are answered from indexes for ${who}`, async (_name, { query, indexes }) => {
      const plan = await queryPlan(site.kernel, query, caller);
      expect(plan.scanned.filter((table) => /^(content|catalog)$/.test(table))).toEqual([]);
      expect(plan.indexes.filter((name) => indexes.test(name))).not.toEqual([]);
      expect(plan.blocks).toBeLessThan(MAX_BLOCKS);
    });
  }
});
