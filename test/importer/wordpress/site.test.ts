import { fileURLToPath } from 'node:url';
import { wordpressReader } from '@canopy-server/wordpress-export';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { freshSite, messages, run, stored } from '../import-helpers.ts';
import { folderOf } from '../markdown/folder.ts';

const FILE = fileURLToPath(new URL('../../fixtures/imports/wordpress/site.xml', import.meta.url));

/** The blocks of stored fields, in their order. */
function blocksOf(fields: Record<string, unknown> | undefined): Record<string, unknown>[] {
  const { blocks, blocks_layout: layout } = JSON.parse(JSON.stringify(fields ?? {}));
  return (layout?.items ?? []).map((id: string) => blocks[id]);
}

describeEachEngine('an export of WordPress', (engine) => {
  it('Posts, pages, media, authors, comments and old addresses come; what has no place is reported.', async () => {
    const { kernel } = await freshSite(engine);
    expect(await wordpressReader.recognises(FILE)).toBe(true);
    const summary = await run(kernel, FILE, { reader: wordpressReader });
    const objects = await stored(kernel);
    expect([...objects.keys()].filter((path) => path !== '/').sort()).toEqual([
      ...['/about', '/about/team', '/blog', '/blog/a-classic-post', '/blog/a-post', '/blog/item-3'],
      ...['/media', '/media/dot.png', '/media/far.png', '/media/lost.pdf'],
    ]);
    const [post, dot] = [objects.get('/blog/a-post'), objects.get('/media/dot.png')];
    expect(post).toMatchObject({
      type: 'News Item',
      state: 'published',
      owner: 'ann',
      language: 'en',
      effective: new Date('2024-05-01T10:00:00Z'),
      fields: {
        ...{ title: 'A post', description: 'In short', subjects: ['News', 'small'], mood: 'glad' },
        preview_image: { width: 1 },
      },
    });
    expect(blocksOf(post?.fields)).toEqual([
      { '@type': 'title' },
      expect.objectContaining({ '@type': 'slate', plaintext: 'Hello world, see the team.' }),
      expect.objectContaining({ '@type': 'image', url: `../resolveuid/${dot?.uid}`, alt: 'A dot' }),
      expect.objectContaining({ '@type': 'slate', plaintext: 'The dot' }),
      expect.objectContaining({ '@type': 'slate', value: [expect.objectContaining({ type: 'ul' })] }),
      { '@type': 'html', html: expect.stringContaining('<video') },
      expect.objectContaining({ '@type': 'slate', plaintext: 'In a group' }),
    ]);
    expect(JSON.stringify(post?.fields)).toContain(`resolveuid/${objects.get('/about/team')?.uid}#us`);
    expect(objects.get('/blog/a-classic-post')).toMatchObject({ effective: new Date('2099-01-01T10:00:00Z') });
    expect(
      blocksOf(objects.get('/blog/a-classic-post')?.fields).map(({ plaintext, html }) => plaintext ?? html),
    ).toEqual([
      undefined,
      undefined,
      'Far away',
      'First line\nsecond line',
      'See that and [gallery ids="1"].',
      '<pre>a\n\nb</pre>',
    ]);
    expect(JSON.stringify(objects.get('/blog/a-classic-post')?.fields)).toContain(
      `resolveuid/${objects.get('/media/far.png')?.uid}`,
    );
    expect(objects.get('/blog/item-3')?.state).toBe('private');
    expect(objects.get('/about')?.state).toBe('private');
    expect(summary.users.created).toBe(1);
    expect(summary.comments.created).toBe(2);
    const redirects = await kernel.db.query<{ path: string }>({ text: 'select path from redirect order by path' });
    expect(redirects.map(({ path }) => path)).toEqual([
      ...['/2024/05/a-post', '/2024/05/first-post', '/dot', '/far', '/lost'],
      ...['/wp-content/uploads/2024/05/dot.png', '/wp-content/uploads/2024/05/lost.pdf'],
    ]);
    const said = messages(summary).join('\n');
    for (const part of [
      'latest-posts',
      '[gallery]',
      'lost.pdf',
      'link /gone/',
      'belong to no menu',
      'type product',
      'trash',
      'password',
      'approved',
      'pingback',
      'descriptions, parents',
      'e-mail addresses',
    ])
      expect(said).toContain(part);
    const again = await run(kernel, FILE, { reader: wordpressReader, again: 'stop' });
    expect(again.again?.counts).toMatchObject({
      added: 0,
      changed: 0,
      moved: 0,
      removed: 0,
      reordered: 0,
      conflicts: 0,
    });
  });

  it('A file that is broken ends the import with one line, and leaves nothing.', async () => {
    const { kernel } = await freshSite(engine);
    const folder = await folderOf({
      'broken.xml': '<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><item><title>A</title>',
      'other.xml': '<rss><channel></channel></rss>',
    });
    expect(await wordpressReader.recognises(`${folder}/broken.xml`)).toBe(true);
    expect(await wordpressReader.recognises(`${folder}/other.xml`)).toBe(false);
    expect(await wordpressReader.recognises(folder)).toBe(false);
    await expect(run(kernel, `${folder}/broken.xml`, { reader: wordpressReader })).rejects.toThrow(
      /is no export of WordPress that can be read/,
    );
    expect((await stored(kernel)).size).toBe(1);
  });
});
