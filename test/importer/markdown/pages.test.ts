import { expect, it } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { freshSite, messages, stored } from '../import-helpers.ts';
import { folderOf, importFolder, PIXEL } from './folder.ts';

/** The blocks of stored fields, in their order. */
function blocksOf(fields: Record<string, unknown> | undefined): Record<string, unknown>[] {
  const { blocks, blocks_layout: layout } = JSON.parse(JSON.stringify(fields ?? {}));
  return (layout?.items ?? []).map((id: string) => blocks[id]);
}

describeEachEngine('a folder of Markdown', (engine) => {
  it('Folders are the tree, with the texts, pictures and files that lie in them.', async () => {
    const site = await freshSite(engine);
    const folder = await folderOf({
      'guide/README.md': '# The guide\n\nRead [how to install](install.md#needs).\n\n![A dot](pictures/dot.png "Dot")',
      'guide/install.md':
        '---\ntitle: Install\ndescription: How to.\ntags: [a, b]\ndate: 2024-05-01\nweight: 2\n---\nBack to [the guide](./).\n',
      'guide/first.md':
        '---\nweight: 1\nlayout: wide\naudience: people\n---\n# First steps\n\nSee [a file](notes.pdf) and [nothing](gone.md).',
      'guide/pictures/dot.png': PIXEL,
      'guide/notes.pdf': 'not a real one',
      'other/deep/text.md': 'Text alone.',
    });
    const summary = await importFolder(site.kernel, folder);
    const objects = await stored(site.kernel);
    expect([...objects.keys()].filter((path) => path.startsWith('/guide') || path.startsWith('/other'))).toEqual([
      '/guide',
      '/guide/first',
      '/guide/install',
      '/guide/notes.pdf',
      '/guide/pictures',
      '/guide/pictures/dot.png',
      '/other',
      '/other/deep',
      '/other/deep/text',
    ]);
    const guide = objects.get('/guide');
    const install = objects.get('/guide/install');
    const dot = objects.get('/guide/pictures/dot.png');
    expect(guide?.fields.title).toBe('The guide');
    expect(install).toMatchObject({
      type: 'Page',
      state: 'published',
      effective: new Date('2024-05-01T00:00:00Z'),
      fields: { title: 'Install', description: 'How to.', subjects: ['a', 'b'] },
    });
    expect(dot).toMatchObject({ type: 'Image', fields: { title: 'dot.png', image: { width: 1, height: 1 } } });
    expect(objects.get('/guide/notes.pdf')).toMatchObject({ type: 'File' });
    expect(objects.get('/guide/first')?.fields).toMatchObject({ title: 'First steps', audience: 'people' });
    expect(objects.get('/other/deep/text')?.fields.title).toBe('Text');
    expect(blocksOf(guide?.fields)).toEqual([
      { '@type': 'title' },
      expect.objectContaining({
        '@type': 'slate',
        plaintext: 'Read how to install.',
        value: [
          {
            type: 'p',
            children: [
              { text: 'Read ' },
              {
                type: 'link',
                data: { url: `../resolveuid/${install?.uid}#needs` },
                children: [{ text: 'how to install' }],
              },
              { text: '.' },
            ],
          },
        ],
      }),
      { '@type': 'image', url: `../resolveuid/${dot?.uid}`, alt: 'A dot', title: 'Dot' },
    ]);
    const said = messages(summary);
    expect(said).toContain('/guide/first The link gone.md leads to nothing in the folder.');
    expect(said).toContain('/guide/first The key layout of front matter steers the old generator; it is left out.');
    const order = await site.kernel.db.query<{ path: string }>({
      text: `select c.path from content c join content p on p.oid = c.parent where p.path = '/guide' order by c.position`,
    });
    expect(order.map(({ path }) => path).slice(0, 2)).toEqual(['/guide/first', '/guide/install']);
  });

  it('Each form of Markdown becomes the block of Volto that shows it.', async () => {
    const site = await freshSite(engine);
    const text = [
      '## Two',
      '*em* **strong** ~~gone~~ `code`  \nnext',
      '- one\n  - inner\n- two',
      '1. first\n2. second',
      '> quoted\n>\n> twice',
      '| a | b |\n|---|---|\n| c | `d` |',
      '```js\nlet a = 1;\n```',
      '<details><summary>More</summary>hidden</details>',
      '- [x] done\n- [ ] open',
      'Water is H<sub>2</sub>O, press <kbd>Esc</kbd>.',
      '---',
      '<!-- nobody sees this -->',
    ].join('\n\n');
    const folder = await folderOf({ 'all.md': text });
    const summary = await importFolder(site.kernel, folder);
    const blocks = blocksOf((await stored(site.kernel)).get('/all')?.fields);
    const values = blocks.map((block) => (Array.isArray(block.value) ? block.value[0] : block));
    expect(values).toEqual([
      { '@type': 'title' },
      { type: 'h2', children: [{ text: 'Two' }] },
      {
        type: 'p',
        children: [
          { text: '' },
          { type: 'em', children: [{ text: 'em' }] },
          { text: ' ' },
          { type: 'strong', children: [{ text: 'strong' }] },
          { text: ' ' },
          { type: 'del', children: [{ text: 'gone' }] },
          { text: ' ' },
          { type: 'code', children: [{ text: 'code' }] },
          { text: '\nnext' },
        ],
      },
      {
        type: 'ul',
        children: [
          { type: 'li', children: [{ text: 'one' }] },
          { type: 'ul', children: [{ type: 'li', children: [{ text: 'inner' }] }] },
          { type: 'li', children: [{ text: 'two' }] },
        ],
      },
      {
        type: 'ol',
        children: [
          { type: 'li', children: [{ text: 'first' }] },
          { type: 'li', children: [{ text: 'second' }] },
        ],
      },
      { type: 'blockquote', children: [{ text: 'quoted\ntwice' }] },
      expect.objectContaining({ '@type': 'slateTable' }),
      { '@type': 'html', html: expect.stringContaining('let a = 1;') },
      { '@type': 'html', html: expect.stringContaining('hidden') },
      {
        type: 'ul',
        children: [
          { type: 'li', children: [{ text: '☑ done' }] },
          { type: 'li', children: [{ text: '☐ open' }] },
        ],
      },
      {
        type: 'p',
        children: [
          { text: 'Water is H' },
          { type: 'sub', children: [{ text: '2' }] },
          { text: 'O, press ' },
          { type: 'code', children: [{ text: 'Esc' }] },
          { text: '.' },
        ],
      },
      { '@type': 'html', html: '<hr />' },
    ]);
    const said = messages(summary);
    for (const element of ['pre', 'details', 'hr'])
      expect(said).toContain(`/all <${element}> has no form in slate here: it is kept as a block of HTML.`);
    expect(said).toContain('/all Of <kbd> the text is kept, without the element.');
    expect(said).toContain('/all Comments in HTML, which nobody sees, are left out.');
  });

  it('Front matter says drafts, addresses, old addresses, languages and pictures.', async () => {
    const site = await freshSite(engine);
    const folder = await folderOf({
      'a.md':
        '+++\ntitle = "A"\ndraft = true\nslug = "the-a"\naliases = ["/old/a/", "older"]\n+++\n[b](b.md) and ![x](/img/x.png)',
      'b.md': '---\nlang: en\nimage: /img/x.png\nauthors: [{name: Jo}]\nexpiryDate: 2099-01-01\n---\nText',
      'b.de.md': '[A](./a.md), [auch](a/), [html](a.html)',
      'broken.md': '---\ntitle: [\n---\nStill a text.',
      'static/img/x.png': PIXEL,
      '.git/config.md': 'hidden',
    });
    const summary = await importFolder(site.kernel, folder);
    const objects = await stored(site.kernel);
    const a = objects.get('/the-a');
    expect(a).toMatchObject({ state: 'private', fields: { title: 'A' } });
    expect(blocksOf(a?.fields)).toContainEqual(
      expect.objectContaining({ '@type': 'image', url: `../resolveuid/${objects.get('/static/img/x.png')?.uid}` }),
    );
    const b = objects.get('/b');
    expect(b).toMatchObject({ language: 'en', owner: 'Jo', fields: { preview_image: { width: 1 } } });
    const german = objects.get('/b.de');
    expect(german).toMatchObject({ language: 'de', translations: b?.translations });
    expect(JSON.stringify(german?.fields).split(`resolveuid/${a?.uid}`).length).toBe(4);
    expect(objects.get('/broken')?.fields.title).toBe('Broken');
    const redirects = await site.kernel.db.query<{ path: string }>({ text: 'select path from redirect order by path' });
    expect(redirects.map(({ path }) => path)).toEqual(['/old/a', '/older']);
    expect(summary.problems).toContainEqual(expect.objectContaining({ reason: 'unreadable', file: 'broken.md' }));
    expect(summary.problems).toContainEqual(expect.objectContaining({ reason: 'system', file: '.git' }));
  });
});
