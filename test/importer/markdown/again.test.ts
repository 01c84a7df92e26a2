import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { updateStored } from '../again/edit-here.ts';
import { freshSite, stored } from '../import-helpers.ts';
import { folderOf, importFolder, PIXEL, writeFiles } from './folder.ts';

const NOTHING = { added: 0, changed: 0, moved: 0, removed: 0, reordered: 0, conflicts: 0 };

describeEachEngine('a folder of Markdown that is imported again', (engine) => {
  it('It brings what is new, changed and removed, and keeps what was changed here; the second run changes nothing.', async () => {
    const { kernel } = await freshSite(engine);
    const folder = await folderOf({
      'docs/index.md': '# Docs',
      'docs/a.md': '---\ntitle: A\naliases: [/first]\n---\nOne.\n\nTwo.',
      'docs/b.md': '# B',
      'docs/c.md': '# C',
      'docs/dot.png': PIXEL,
    });
    await importFolder(kernel, folder);
    await updateStored(kernel, '/docs/a', { title: 'Ours' });
    await updateStored(kernel, '/docs/b', { title: 'Ours' });
    await writeFiles(folder, {
      'docs/a.md': '---\ntitle: A\naliases: [/second]\nslug: an-a\n---\nOne.\n\nIn between.\n\nTwo.',
      'docs/d.md': '# D',
    });
    await rm(join(folder, 'docs/c.md'));
    const again = () => importFolder(kernel, folder, { again: 'stop' });
    const summary = await again();
    expect(summary.again?.counts).toMatchObject({ added: 1, changed: 1, moved: 1, removed: 2, conflicts: 0 });
    const objects = await stored(kernel);
    expect([...objects.keys()].filter((path) => path.startsWith('/docs'))).toEqual([
      '/docs',
      '/docs/an-a',
      '/docs/b',
      '/docs/d',
      '/docs/dot.png',
    ]);
    expect(objects.get('/docs/an-a')?.fields).toMatchObject({ title: 'Ours', blocks: expect.anything() });
    expect(JSON.stringify(objects.get('/docs/an-a')?.fields)).toContain('In between.');
    const redirects = await kernel.db.query<{ path: string }>({ text: 'select path from redirect order by path' });
    expect(redirects.map(({ path }) => path)).toEqual(['/docs/a', '/second']);
    expect((await again()).again?.counts).toMatchObject(NOTHING);
  });

  it('What both sides changed in one title is a conflict, by which nothing is written.', async () => {
    const { kernel } = await freshSite(engine);
    const folder = await folderOf({ 'a.md': '# A', 'b.md': '# B' });
    await importFolder(kernel, folder);
    await updateStored(kernel, '/a', { title: 'Ours' });
    await writeFiles(folder, { 'a.md': '# Theirs', 'b.md': '# Other' });
    const stopped = await importFolder(kernel, folder, { again: 'stop' });
    expect(stopped).toMatchObject({ refused: true, again: { counts: { conflicts: 1 } } });
    expect((await stored(kernel)).get('/b')?.fields.title).toBe('B');
    await importFolder(kernel, folder, { again: 'take' });
    expect((await stored(kernel)).get('/a')?.fields.title).toBe('Theirs');
  });
});
