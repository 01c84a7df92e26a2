import { afterAll, beforeAll, expect, test } from 'vitest';
import { addType } from '../content/add-type.ts';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';

/** The number of SQL statements for authentication and for locating the content. */
const WAY = 2;

describeEachEngine('SQL statements of vocabularies', (engine) => {
  let site: TestSite;
  let database: CountingDatabase;
  let editor: Who;
  beforeAll(async () => {
    site = await startTestSite(engine, {
      environment: { RESPONSE_CACHE_MB: '0', ROW_CACHE_MB: '0' },
      wrap: (db) => {
        database = new CountingDatabase(db);
        return database;
      },
    });
    editor = await addPerson(site, { id: 'erna', roles: ['Member', 'Editor'] });
    await addType(site.kernel, {
      id: 'Film',
      properties: { by: { factory: 'Choice', vocabulary: { '@id': 'users' } } },
    });
    await make(site.kernel, '/', { '@type': 'Film', id: 'film' }, { state: 'published' });
    for (let i = 0; i < 30; i += 1) await make(site.kernel, '/', { id: `page-${i}`, subjects: [`tag-${i}`, 'all'] });
    await site.request('GET', '/film', { as: editor });
  });
  afterAll(() => site?.close());

  test.each([
    ['@vocabularies', 0],
    ['@vocabularies/types', 0],
    ['@vocabularies/supportedLanguages', 0],
    ['@vocabularies/subjects', 1],
    ['@vocabularies/users', 1],
    ['@vocabularies/groups', 1],
    ['@vocabularies/plone.app.vocabularies.Principals', 1],
    ['@vocabularies/plone.app.vocabularies.Catalog', 1],
    ['@sources/by', 1],
    ['@querysources/by?query=e', 1],
  ])('the vocabulary %s costs %i SQL statements beside those of its address', async (address, more) => {
    const found = await database.during(async () => {
      const answer = await site.request('GET', `/film/${address}`, { as: editor });
      expect(answer.status, answer.text).toBe(200);
    });
    expect(found.length, found.join('\n')).toBe(WAY + more);
  });
});
