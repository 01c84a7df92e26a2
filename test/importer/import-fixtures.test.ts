import { expect, it } from 'vitest';
import { summaryLines } from '../../src/features/import/import-summary.ts';
import { describeEachEngine } from '../support/database.ts';
import { childrenOf, filesBelow, freshSite, messages, rowCounts, run, stored } from './import-helpers.ts';
import { fixture } from './readers/helpers.ts';

describeEachEngine('importing an export of collective.exportimport', (engine) => {
  it('an import of collective.exportimport creates the tree with states, dates, UIDs, roles, files and side data', async () => {
    const { kernel } = await freshSite(engine);
    const summary = await run(kernel, fixture('collective'));
    expect(summary).toMatchObject({
      objects: { created: 4, skipped: 0, failed: 0 },
      files: { created: 1, skipped: 0, failed: 0 },
      users: { created: 2 },
      groups: { created: 1 },
      redirects: { created: 3 },
      relations: { created: 1 },
      comments: { created: 3 },
      types: [],
    });
    const site = await stored(kernel);
    expect([...site.keys()]).toEqual(['/', '/en', '/en/media', '/en/media/photo.txt']);
    expect(site.get('/')).toMatchObject({ uid: 'u-root', page: 'en', fields: { title: 'Plone' }, state: 'published' });
    expect(site.get('/en')).toMatchObject({
      uid: 'u-en',
      type: 'LRF',
      state: 'published',
      owner: 'eve',
      language: 'en',
      created: new Date('2024-01-02T03:04:05Z'),
      modified: new Date('2024-01-02T03:04:06Z'),
      effective: new Date('2023-12-09T14:09:00Z'),
      expires: null,
      roles: { 'group:editors': ['Editor'], 'user:eve': ['Owner'] },
      inherits: false,
    });
    expect(site.get('/en')?.fields).toMatchObject({ creators: ['ada'], relatedItems: ['u-media'] });
    expect(site.get('/en')?.allowed).toContain('role:Anonymous');
    expect(site.get('/en/media')?.allowed).not.toContain('role:Anonymous');
    // The type did not have the view `document_view`.
    expect(site.get('/en/media')?.layout).toBe('document_view');
    expect(summary.added).toContainEqual({ type: 'LIF', behaviors: [], fields: [], layouts: ['document_view'] });
    expect(site.get('/en/media/photo.txt')?.fields.image).toMatchObject({ filename: 'photo.txt', size: 6, width: -1 });
    expect(site.get('/en/media/photo.txt')?.state).toBeNull();
    expect(messages(summary)).toContain(
      '/en/media Content of the type LIF comes without a workflow state: it becomes private.',
    );
  });

  it('imported bytes, references, histories, redirects, comments, users and groups are stored where the site reads them', async () => {
    const { kernel } = await freshSite(engine);
    await run(kernel, fixture('collective'));
    const site = await stored(kernel);
    const en = site.get('/en')?.oid;
    const image = site.get('/en/media/photo.txt')?.fields.image;
    const hash = typeof image === 'object' && image !== null && 'hash' in image ? String(image.hash) : '';
    const chunks: Buffer[] = [];
    for await (const chunk of await kernel.blobs.open(hash)) chunks.push(Buffer.from(chunk));
    expect(Buffer.concat(chunks).toString()).toBe('pixels');
    const rows = (text: string) => kernel.db.query({ text });
    expect(await rows('select source, relation, target from reference')).toEqual([
      { source: en, relation: 'relatedItems', target: 'u-media' },
    ]);
    expect(
      await rows(
        `select action, actor, comments, review_state, at from workflow_history where content = ${en} order by id`,
      ),
    ).toEqual([
      { action: null, actor: 'ada', comments: '', review_state: 'private', at: new Date('2024-01-02T03:04:05Z') },
      {
        action: 'publish',
        actor: 'ada',
        comments: 'ok',
        review_state: 'published',
        at: new Date('2024-01-02T04:00:00Z'),
      },
    ]);
    expect(await rows('select path, target, target_url from redirect order by path')).toEqual([
      { path: '/Plonescape', target: site.get('/en/media')?.oid, target_url: null },
      { path: '/old', target: en, target_url: null },
      { path: '/out', target: null, target_url: 'https://example.org/there' },
    ]);
    expect(await rows('select id, content, in_reply_to, body, author from comment order by id')).toEqual([
      { id: '1', content: en, in_reply_to: null, body: 'first', author: 'ada' },
      { id: '2', content: en, in_reply_to: '1', body: 'reply', author: 'ada' },
      { id: '3', content: en, in_reply_to: null, body: 'lost', author: 'ada' },
    ]);
    expect(await rows(`select id, password, roles from account where id <> 'admin' order by id`)).toEqual([
      { id: 'ada', password: null, roles: ['Member'] },
      { id: 'bob', password: null, roles: [] },
    ]);
    expect(await rows('select * from group_member')).toEqual([
      { group_id: 'editors', member_id: 'ada', is_group: false },
    ]);
  });

  it('a dry run reports the same as an import and leaves nothing behind, not even files', async () => {
    const { kernel, dataDir } = await freshSite(engine);
    const before = await rowCounts(kernel);
    const filesBefore = await filesBelow(dataDir);
    const rehearsal = await run(kernel, fixture('collective'), { dryRun: true });
    expect(await rowCounts(kernel)).toEqual(before);
    expect(await filesBelow(dataDir)).toEqual(filesBefore);
    const real = await run(kernel, fixture('collective'));
    expect({ ...rehearsal, dryRun: false }).toEqual(real);
    expect(summaryLines(rehearsal).slice(1)).toEqual(summaryLines(real).slice(1));
  });

  it('a second import creates nothing and does not report the objects of the first one', async () => {
    const { kernel } = await freshSite(engine);
    await run(kernel, fixture('collective'));
    const before = await rowCounts(kernel);
    const again = await run(kernel, fixture('collective'));
    expect(await rowCounts(kernel)).toEqual(before);
    expect(again).toMatchObject({
      objects: { created: 0, skipped: 4, failed: 0 },
      users: { created: 0, skipped: 2 },
      groups: { created: 0, skipped: 1 },
      redirects: { created: 0, skipped: 3 },
      relations: { created: 0, skipped: 1 },
      comments: { created: 0, skipped: 3 },
    });
    expect(messages(again).filter((message) => message.includes('already'))).toEqual([]);
  });
});

describeEachEngine('importing an export of plone.exportimport', (engine) => {
  it('an import of plone.exportimport brings constrains, default pages, local permissions and comments from both places', async () => {
    const { kernel } = await freshSite(engine, { profile: 'plone' });
    const summary = await run(kernel, fixture('plone'));
    expect(summary).toMatchObject({ objects: { created: 3, failed: 0 }, comments: { created: 2 } });
    const site = await stored(kernel);
    expect(site.get('/a')).toMatchObject({
      type: 'Document',
      page: 'b',
      layout: 'document_view',
      language: 'en',
      roles: { 'user:ada': ['Owner'], 'user:Staff': ['Reader'] },
      inherits: false,
      permissions: { 'Add File': { roles: ['Member'], acquire: false } },
      constrains: { locally_allowed: ['File', 'Document'], immediately_addable: ['File'] },
    });
    expect(site.get('/')).toMatchObject({ uid: 'real-root-uid', roles: { 'user:admin': ['Owner'] } });
    expect(await childrenOf(kernel, '/a')).toEqual(['b']);
    // Both objects have a comment 1: in an export, ids are unique on one object only.
    const comments = await kernel.db.query({ text: 'select body, content from comment order by body' });
    expect(comments).toEqual([
      { body: 'in the file', content: site.get('/a/b')?.oid },
      { body: 'in the item', content: site.get('/a')?.oid },
    ]);
  });

  it('names of types in an export are mapped to those of the site', async () => {
    const { kernel } = await freshSite(engine);
    await run(kernel, fixture('plone'));
    const site = await stored(kernel);
    expect(site.get('/a')).toMatchObject({
      type: 'Page',
      constrains: { locally_allowed: ['File', 'Page'], immediately_addable: ['File'] },
    });
  });
});
