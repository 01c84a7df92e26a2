import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nickReader } from '@canopy-server/nick-export';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { freshSite, messages, run, stored } from '../import-helpers.ts';
import { PIXEL } from '../markdown/folder.ts';
import { writeExport } from '../readers/helpers.ts';
import { PROFILES, UUIDS } from './profiles.ts';

async function profiles(more: Record<string, unknown> = {}): Promise<string> {
  const folder = await writeExport({ ...PROFILES, ...more });
  await mkdir(join(folder, 'site/documents/images'), { recursive: true });
  await writeFile(join(folder, 'site/documents/images/cover.png'), PIXEL);
  return folder;
}

const OPTIONS = { reader: nickReader, readerOptions: { profiles: 'base,site' } };

describeEachEngine('a site of Nick', (engine) => {
  it('Types, content, files, people, rights, languages, versions and redirects come; what has no place is reported.', async () => {
    const { kernel } = await freshSite(engine);
    const folder = await profiles();
    expect(await nickReader.recognises(folder)).toBe(true);
    expect(await nickReader.recognises(join(folder, 'site'))).toBe(true);
    expect(await nickReader.recognises(join(folder, 'site/controlpanels'))).toBe(false);
    const summary = await run(kernel, folder, OPTIONS);
    const objects = await stored(kernel);
    expect([...objects.keys()].sort()).toEqual(['/', '/book', '/buch', '/dot.png', '/lost', '/news', '/news/story']);
    expect(objects.get('/')).toMatchObject({ uid: UUIDS.root, fields: { title: 'Books' } });
    expect(objects.get('/book')).toMatchObject({
      ...{ uid: UUIDS.book, type: 'Book', state: 'private', owner: 'admin', language: 'en' },
      fields: { genre: 'poems', price: 12.5, pages: 96, cover: { width: 1 }, sequel: UUIDS.story },
    });
    expect(objects.get('/buch')).toMatchObject({ language: 'de', owner: 'ann' });
    expect(objects.get('/buch')?.translations).toBe(objects.get('/book')?.translations);
    expect(objects.get('/book')?.translations).not.toBe(null);
    expect(objects.get('/buch')?.fields.genre ?? null).toBe(null);
    expect(objects.get('/news')).toMatchObject({
      inherits: false,
      roles: { 'user:ann': ['Editor'], 'group:Sellers': ['Manager', 'Contributor'] },
    });
    expect(objects.get('/news/story')).toMatchObject({
      effective: new Date('2024-01-05T00:00:00Z'),
      fields: { motto: 'Onwards', subjects: ['fresh'], relatedItems: [UUIDS.book], preview_image_link: UUIDS.picture },
    });
    expect(JSON.stringify(objects.get('/news/story')?.fields)).toContain(`resolveuid/${UUIDS.book}`);
    expect(objects.get('/dot.png')).toMatchObject({ fields: { image: { width: 1 } } });
    const versions = await kernel.db.query<{ number: number; note: string; replaced: Record<string, unknown> }>({
      text: 'select number, note, replaced from version v join content c on c.oid = v.content where c.uid = $1 order by number',
      values: [UUIDS.story],
    });
    expect(versions[0]).toMatchObject({ number: 0, note: 'First', replaced: { title: 'A draft', motto: 'Slowly' } });
    expect(versions[1]).toMatchObject({ number: 1, replaced: { motto: null } });
    const redirects = await kernel.db.query<{ path: string }>({ text: 'select path from redirect' });
    expect(redirects).toEqual([{ path: '/old/story' }]);
    const [ann] = await kernel.db.query<{ roles: string[]; password: string | null }>({
      text: `select roles, password from account where id = 'ann'`,
    });
    expect(ann).toEqual({ roles: ['Member', 'Editor', 'Manager'], password: null });
    const definitions = await kernel.db.query<{ data: Record<string, unknown> }>({
      text: `select data from configuration where kind = 'type' and id = 'Book'`,
    });
    expect(definitions[0]?.data).toMatchObject({
      ...{ title: 'Book', description: 'A printed one', required: ['price'], layouts: ['book_view'] },
      ...{ filter_content_types: true, allowed_content_types: ['Image'], workflow: 'simple_publication_workflow' },
      behaviors: ['basic', 'blocks', 'versioning', 'folderish'],
      properties: {
        genre: {
          title: 'Genre',
          factory: 'Choice',
          choices: [
            ['novel', 'Novel'],
            ['poems', 'Poems'],
          ],
        },
        price: { title: 'Price', factory: 'Floating-point number', description: 'In francs.' },
        pages: { title: 'Number of pages', factory: 'Integer' },
        ...{ cover: { factory: 'Image' }, sequel: { factory: 'Relation Choice' } },
      },
    });
    expect(Object.keys(Object(definitions[0]?.data.properties))).toHaveLength(5);
    const said = messages(summary).join('\n');
    for (const part of [
      ...[
        'Cannot be read: Expected property name',
        'password of ann',
        'no id',
        'Roles of visitors',
        'Content rules are left out',
        'Draft.js',
      ],
      ...[
        'role Librarian',
        'workflow shelf_workflow',
        'control panels',
        'Vocabularies become',
        'lost.pdf',
        'secret.png',
        '/old/nothing',
      ],
      ...[
        'no behavior unheard_of',
        'no behavior priced',
        '"western"',
        'The type Page got the field motto',
        'Book came with',
      ],
    ])
      expect(said).toContain(part);
    expect(said).not.toContain('anonymous');
    const again = await run(kernel, folder, { ...OPTIONS, again: 'stop' });
    expect(again.again?.counts).toMatchObject({
      added: 0,
      changed: 0,
      moved: 0,
      removed: 0,
      reordered: 0,
      conflicts: 0,
    });
  });

  it('A newer profile is merged: what is new, changed and removed in it comes.', async () => {
    const { kernel } = await freshSite(engine);
    await run(kernel, await profiles(), OPTIONS);
    const { 'site/documents/lost.json': _, ...rest } = PROFILES;
    const newer = await writeExport({
      ...rest,
      'site/documents/news.story.json': { ...Object(rest['site/documents/news.story.json']), motto: 'Farther' },
      'site/documents/news.late.json': { uuid: '00000000-aaaa-4000-8000-000000000009', title: 'Late' },
    });
    const again = await run(kernel, newer, { ...OPTIONS, again: 'take' });
    const objects = await stored(kernel);
    expect(objects.get('/news/story')?.fields.motto).toBe('Farther');
    expect(objects.get('/news/late')).toMatchObject({ type: 'Page', state: 'published', owner: 'admin' });
    expect(objects.has('/lost')).toBe(false);
    expect(again.again?.counts).toMatchObject({ added: 1, removed: 1 });
  });

  it('Objects that Nick has exported one by one come with their links, without their files.', async () => {
    const { kernel } = await freshSite(engine);
    const exported = (uuid: string, more: Record<string, unknown>) => ({
      ...{ uuid, type: 'Page', workflow_state: 'published', owner: 'admin', layout: 'view' },
      ...{ language: { title: 'English', token: 'en' }, created: '2024-01-02T03:04:05.000Z', ...more },
    });
    const folder = await writeExport({
      'news.json': exported(UUIDS.news, {
        type: 'Folder',
        title: 'News',
        items: [{ '@id': 'http://old.example/news/story' }],
      }),
      'news.story.json': exported(UUIDS.story, { title: 'Story', remote: 'http://old.example/news' }),
      'other.json': { some: 'thing' },
    });
    expect(await nickReader.recognises(folder)).toBe(false);
    const summary = await run(kernel, folder, { reader: nickReader, siteRoot: 'http://old.example' });
    const objects = await stored(kernel);
    expect(objects.get('/news/story')).toMatchObject({ language: 'en', fields: { title: 'Story', remote: '/news' } });
    expect(messages(summary).join('\n')).toContain('no object of Nick');
  });

  it('Several profiles have to be named, and a place without any is refused, before anything is written.', async () => {
    const { kernel } = await freshSite(engine);
    const folder = await profiles();
    await expect(run(kernel, folder, { reader: nickReader })).rejects.toThrow(/profiles=base,site/);
    await expect(
      run(kernel, folder, { reader: nickReader, readerOptions: { profiles: 'base,nothing' } }),
    ).rejects.toThrow(/no profile "nothing"/);
    await expect(run(kernel, await writeExport({ 'a.txt': '' }), { reader: nickReader })).rejects.toThrow(/neither/);
    expect((await stored(kernel)).size).toBe(1);
  });
});
