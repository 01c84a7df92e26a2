import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VIEWABLE, VIEWERS, withDates } from '../../src/core/search/statements/fragments.ts';

/** Files that have to do with the index of viewers itself, and why. */
const KNOWN: Record<string, string> = {
  'storage/statements/fragments.ts': 'says what may be viewed',
  'storage/statements/catalog.ts': 'writes the index',
  'storage/statements/subtrees.ts': 'writes the index of copies',
  'features/sharing/statements.ts': 'takes users out of the index who are gone',
};

async function sources(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.endsWith('.ts'));
}

it('No statement but those of the index itself asks who may view content in words of its own.', async () => {
  const found: string[] = [];
  const asking: string[] = [];
  for (const file of await sources('src')) {
    const text = await readFile(join('src', file), 'utf8');
    if (/\ballowed (?:&&|@>) (?:array|\$)|\bk\w*\.allowed\b|set allowed/.test(text)) found.push(file);
    if (/\b(?:VIEWABLE|VISIBLE_NOW)\(|\bVIEWERS\b/.test(text)) asking.push(file);
  }
  expect(found.filter((file) => !(file in KNOWN))).toEqual([]);
  expect(asking.sort()).toMatchInlineSnapshot(`
    [
      "catalog/broad-statements.ts",
      "catalog/conditions.ts",
      "catalog/corrections.ts",
      "catalog/indexes/basic.ts",
      "catalog/search-statements.ts",
      "catalog/suggestions.ts",
      "features/ai/statements.ts",
      "features/aliases/statements.ts",
      "features/block-types/statements.ts",
      "features/comments/statements/found-comments.ts",
      "features/exports/statements/feed-rows.ts",
      "features/recycle-bin/statements/entries.ts",
      "features/related/statements.ts",
      "features/related/statements/full-text.ts",
      "features/relations/statements.ts",
      "features/replace/statements.ts",
      "features/translations/statements.ts",
      "storage/dated-database.ts",
      "storage/statements/fragments.ts",
      "storage/statements/load-content.ts",
      "storage/statements/navigation.ts",
      "storage/statements/references.ts",
      "storage/statements/subtrees.ts",
      "storage/statements/unique-values.ts",
      "storage/statements/vocabulary-terms.ts",
    ]
  `);
});

it('A statement asks for the dates of each row that somebody may view, also of content that it does not select from.', () => {
  expect(withDates('select 1')).toBe('select 1');
  const inTime = (alias: string) =>
    `coalesce(${alias}.effective, '-infinity') <= now() and coalesce(${alias}.expires, 'infinity') > now()`;
  expect(withDates(`where ${VIEWABLE('$2')}`)).toBe(
    `where (k.allowed && $2::text[] and (${inTime('c')} or k.inactive_allowed && $2::text[]))`,
  );
  expect(withDates(VIEWABLE('$1', 'ks'))).toContain(inTime('s'));
  expect(withDates(VIEWABLE('$1', 'v'))).toContain('exists (select from content dated where dated.oid = v.oid');
  expect(withDates(`select ${VIEWERS}`)).toContain('intersect select unnest(k.inactive_allowed)');
});
