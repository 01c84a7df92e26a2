import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, runCanopy } from '../support/run-canopy.ts';
import { folderOf } from './markdown/folder.ts';
import { page } from './readers/helpers.ts';

/** The reader of docs/readers.md. */
async function readerOfTheDocs(): Promise<string> {
  const text = await readFile(new URL('../../docs/readers.md', import.meta.url), 'utf8');
  const example = [...text.matchAll(/```js no-test\n([\s\S]*?)```/g)]
    .map(([, code = '']) => code)
    .find((code) => code.includes("name: 'lines'"));
  const contract = new URL('../../packages/site-reader/dist/index.js', import.meta.url).href;
  return (example ?? '').replace("'@canopy-server/site-reader'", `'${contract}'`);
}

describe('the choice of a reader', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'canopy-choose-reader-'));
    await makeSite({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' });
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));
  const importOf = (place: string, ...options: string[]) =>
    runCanopy(['import', place, ...options], { DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' });

  it('A folder of Markdown is recognised, and its reader takes its options.', async () => {
    const folder = await folderOf({ 'a.md': '# A\n\n```js\nlet a;\n```' });
    const found = await importOf(folder, '--dry-run');
    expect(found.out).toContain('Dry run of an import (Markdown)');
    expect(found.out).toMatch(/<pre> has no form/);
    const block = await importOf(folder, '--dry-run', '--reader-option', 'code=block');
    expect(block.out).not.toMatch(/<pre> has no form/);
    for (const option of ['code=other', 'code', 'none=1']) {
      const refused = await importOf(folder, '--dry-run', '--reader-option', option);
      expect(refused.code).toBe(2);
    }
  });

  it('What several readers take is chosen by name, and what none takes is refused with what they look for.', async () => {
    const both = await folderOf({ 'a.md': '# A', '1.json': JSON.stringify(page('/portal/b', { title: 'B' })) });
    const doubtful = await importOf(both, '--dry-run');
    expect(doubtful.code).toBe(1);
    expect(doubtful.err).toContain('choose with --reader=plone or --reader=markdown');
    expect((await importOf(both, '--dry-run', '--reader=plone')).out).toContain('(collective.exportimport)');
    expect((await importOf(both, '--dry-run', '--reader', 'markdown')).out).toContain('(Markdown)');
    const none = await folderOf({ 'a.txt': 'nothing' });
    const refused = await importOf(none);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/is not an export that can be read\. Looked for .*plone\.exportimport.*files \.md/);
    expect((await importOf(join(none, 'gone'))).err).toContain('There is no export at');
    expect((await importOf(both, '--reader=drupal')).err).toContain(
      'There is no reader "drupal". Readers: plone, markdown',
    );
  });

  it('An address is given only to readers that take addresses.', async () => {
    const refused = await importOf('http://127.0.0.1:9/wp-json', '--reader=markdown');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('reads folders and files, not addresses')]);
    const other = await importOf('http://127.0.0.1:9/feed');
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('is not an export that can be read')]);
    const silent = await importOf('http://127.0.0.1:9/wp-json');
    expect([silent.code, silent.err]).toEqual([1, expect.stringMatching(/cannot be read: .*ECONNREFUSED/)]);
  });

  it('The reader of the documentation is loaded from its folder, and one of another form is refused.', async () => {
    const folder = await folderOf({
      'lines/index.mjs': await readerOfTheDocs(),
      'lines/package.json': '{ "main": "index.mjs" }',
      'wrong/index.mjs': 'export default { name: "wrong" };',
      'newer/index.mjs':
        'export default { contract: 99, name: "a", title: "a", looksFor: "a", recognises() {}, open() {} };',
      'titles.lines': 'One\nTwo\n',
    });
    const done = await importOf(join(folder, 'titles.lines'), `--reader=${join(folder, 'lines')}`);
    expect(done.out).toMatch(/Import \(lines\):[\s\S]*objects: +2 created, 0 skipped, 0 failed/);
    const again = await importOf(join(folder, 'titles.lines'), `--reader=${join(folder, 'lines')}`, '--again');
    expect(again.out).toContain('nothing is different, 2 objects as before');
    const wrong = await importOf(join(folder, 'titles.lines'), `--reader=${join(folder, 'wrong')}`);
    expect(wrong.err).toContain('has no reader as its default export');
    const newer = await importOf(join(folder, 'titles.lines'), `--reader=${join(folder, 'newer')}`);
    expect(newer.err).toContain('is a reader of contract 99');
  });
});
