import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ViewRule, viewed } from '../../src/core/search/statements/view-rule.ts';

/** Files that name the index of viewers, and why. */
const OF_THE_INDEX: Record<string, string> = {
  'core/search/statements/view-rule.ts': 'says what may be viewed',
  'core/search/statements/catalog.ts': 'writes the index',
  'core/search/statements/viewers.ts': 'writes the index of copies, and takes removed users out of it',
  'core/content/security-index.ts': 'compares the stored values with the wanted ones',
  'core/security/caller.ts': 'explains it',
  'features/access-tokens/statements.ts': 'looks if visitors could see content at any date',
};
/** The columns of the index in statements. */
const COLUMNS = /\.allowed\b|\binactive_allowed\b|\bset allowed\b|\ballowed (?:&& [$a]|@>)/;

/** The files of `src` that contain a pattern. */
async function filesWith(pattern: RegExp): Promise<string[]> {
  const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.ts'));
  const contents = await Promise.all(files.map((file) => readFile(join('src', file), 'utf8')));
  return files.filter((_, at) => pattern.test(contents[at] ?? '')).sort();
}

describe('Statements that ask who may view content', () => {
  it('have the condition from a rule: no other file names the index of viewers.', async () => {
    expect(await filesWith(COLUMNS)).toEqual(Object.keys(OF_THE_INDEX).sort());
  });

  it('have the rule from the setting of the site: nothing else makes one.', async () => {
    expect(await filesWith(/\bViewRule\.of\b/)).toEqual([
      'core/configuration/panels/publishing.ts',
      'core/search/statements/view-rule.ts',
    ]);
  });

  it('ask for the dates of each row where these hide content, also of content that they do not select from.', () => {
    const inTime = (alias: string) =>
      `coalesce(${alias}.effective, '-infinity') <= statement_timestamp() and coalesce(${alias}.expires, 'infinity') > statement_timestamp()`;
    const plain = ViewRule.of(false);
    const dated = ViewRule.of(true);
    expect(plain.viewable('$2')).toBe('k.allowed && $2::text[]');
    expect(dated.viewable('$2')).toBe(
      `(k.allowed && $2::text[] and (${inTime('c')} or k.inactive_allowed && $2::text[]))`,
    );
    expect(dated.viewable('$1', { catalog: 'ks', content: 's' })).toContain(inTime('s'));
    expect(dated.viewable('$1', { catalog: 'v' })).toContain(
      `exists (select from content dated where dated.oid = v.oid and ${inTime('dated')})`,
    );
    expect(plain.viewers).toBe('k.allowed as viewers');
    expect(dated.viewers).toContain('intersect select unnest(k.inactive_allowed)');
    for (const rule of [plain, dated]) {
      expect(rule.visibleNow('$1')).toBe(`${rule.viewable('$1')} and ${inTime('c')}`);
      expect(rule.visibleNow('$1', '$2')).toBe(`${rule.viewable('$1')} and ($2 or (${inTime('c')}))`);
    }
  });

  it('have another name by each rule, as a name has one text.', () => {
    const statement = viewed('list', (rule) => `select ${rule.viewable('$1')}`);
    const [plain, dated] = [statement(ViewRule.of(false)), statement(ViewRule.of(true))];
    expect(plain).toEqual({ name: 'list', text: 'select k.allowed && $1::text[]' });
    expect(dated.name).toBe('list-dated');
    expect(dated.text).toContain('inactive_allowed');
    expect(statement(ViewRule.of(true))).toBe(dated);
  });
});
