import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../src/core/security/caller.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { transactionsOf } from './transactions-site.ts';

describeEachEngine('transactions that are undone', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());
  const { request, list, newest, undo, change, add, read, status } = transactionsOf(() => site);

  const reasons = ({ body }: Json): string[] => body.errors.map((error: Json) => error.message);
  const children = async (path: string): Promise<string[]> => (await read(path)).items.map((item: Json) => item.id);

  it('every write is listed with who, when and what, the newest first', async () => {
    const { path } = await add('/', { id: 'listed', title: 'Listed' });
    await change('PATCH', path, { title: 'Other', description: 'New' });
    const [edited, created] = await list();
    expect(edited).toMatchObject({
      path: '/listed',
      username: 'admin',
      description: '/listed\nEdited: title, description',
      undone: false,
    });
    expect(edited.id.split(' ')[0]).toMatch(/^\d+$/);
    expect(edited.id).toContain('/listed');
    expect(edited.size).toBeGreaterThan(0);
    expect(Date.now() - Date.parse(edited.time)).toBeLessThan(60_000);
    expect(created.description).toBe('/listed\nCreated');
    await request('PATCH', path, { json: { title: 'Other' } });
    expect((await newest()).id).toBe(edited.id);
  });

  it('pages follow one another, and the list is bounded', async () => {
    await add('/');
    await add('/');
    const all = await list();
    expect((await list('?b_start=1&b_size=1')).map(({ id }) => id)).toEqual([all[1].id]);
    const first = await request('GET', '/@transactions?b_size=1');
    expect(first.headers.get('link')).toContain('b_start=1');
    expect((await request('GET', '/@transactions?b_size=many')).status).toBe(400);
  });

  it('created content goes into the recycle bin, and comes back when that is undone', async () => {
    const { path, UID, added } = await add('/');
    const undone = await undo([added]);
    expect([undone.status, undone.body]).toEqual([200, { message: 'Transactions has been reverted successfully.' }]);
    expect(await status(path)).toBe(404);
    const [second, first] = await list();
    expect(first.undone).toBe(true);
    expect(first.description).toContain('Undone by transaction');
    expect(second.description).toContain('Undo of transaction');
    expect((await undo([second])).status).toBe(200);
    expect((await read(path)).UID).toBe(UID);
    expect((await list())[2].undone).toBe(false);
  });

  it('deleted content comes back with everything below it', async () => {
    const folder = await add('/', { '@type': 'Folder' });
    const inside = await add(folder.path, { text: { data: '<p>Kept</p>', 'content-type': 'text/html' } });
    const deleted = await change('DELETE', folder.path);
    expect((await undo([deleted])).status).toBe(200);
    expect((await read(inside.path)).UID).toBe(inside.UID);
  });

  it('an edit is reverted and leaves what others have edited in other fields', async () => {
    const { path } = await add('/', { title: 'One', description: 'First' });
    const edited = await change('PATCH', path, { title: 'Two', effective: '2026-02-03T04:05:06Z' });
    await change('PATCH', path, { description: 'Second' });
    expect((await undo([edited])).status).toBe(200);
    const now = await read(path);
    expect([now.title, now.description, now.effective]).toEqual(['One', 'Second', null]);
    const history = (await request('GET', `${path}/@history`)).body;
    expect(history[0].comments).toMatch(/^Undo of transaction \d+\.$/);
  });

  it('a rename and a move are taken back', async () => {
    const [from, to] = [await add('/', { '@type': 'Folder' }), await add('/', { '@type': 'Folder' })];
    const first = await add(from.path, { id: 'first' });
    await add(from.path, { id: 'last' });
    const renamed = await change('PATCH', first.path, { id: 'other' });
    const moved = await change('POST', `${to.path}/@move`, { source: `${from.path}/other` });
    expect(moved.description).toBe(`${to.path}/other\nMoved from ${from.path}/other`);
    expect((await undo([moved, renamed])).status).toBe(200);
    expect(await children(from.path)).toEqual(['first', 'last']);
    expect(await children(to.path)).toEqual([]);
  });

  it('a workflow state comes back with the dates that publishing has set', async () => {
    const { path } = await add('/');
    const published = await change('POST', `${path}/@workflow/publish`);
    expect((await request('GET', path, { as: 'anonymous' })).status).toBe(200);
    expect((await undo([published])).status).toBe(200);
    const now = await read(path);
    expect([now.review_state, now.effective]).toEqual(['private', null]);
    expect((await request('GET', path, { as: 'anonymous' })).status).toBe(401);
    const [entry] = (await request('GET', `${path}/@history`)).body;
    expect([entry.action, entry.review_state]).toEqual(['undo', 'private']);
  });

  it('local roles come back, and an order does', async () => {
    await addPerson(site, { id: 'guest' });
    const folder = await add('/', { '@type': 'Folder' });
    for (const id of ['a', 'b', 'c']) await add(folder.path, { id });
    const entries = [{ id: 'guest', type: 'user', roles: { Reader: true } }];
    const shared = await change('POST', `${folder.path}/@sharing`, { entries, inherit: false });
    const ordered = await change('PATCH', folder.path, { ordering: { obj_id: 'c', delta: 'top' } });
    const sorted = await change('PATCH', folder.path, { sort: { on: 'id', order: 'descending' } });
    expect(await children(folder.path)).toEqual(['c', 'b', 'a']);
    expect((await undo([sorted])).status).toBe(200);
    expect(await children(folder.path)).toEqual(['c', 'a', 'b']);
    expect((await undo([shared, ordered])).status).toBe(200);
    expect(await children(folder.path)).toEqual(['a', 'b', 'c']);
    const sharing = (await request('GET', `${folder.path}/@sharing`)).body;
    expect(sharing.inherit).toBe(true);
    expect(sharing.entries.some(({ id }: Json) => id === 'guest')).toBe(false);
  });

  it('several are undone together, whatever their order in the request, and come back together', async () => {
    const { path, added } = await add('/', { title: 'One' });
    const edited = await change('PATCH', path, { title: 'Two' });
    const published = await change('POST', `${path}/@workflow/publish`);
    expect((await undo([added, published, edited])).status).toBe(200);
    expect(await status(path)).toBe(404);
    expect((await undo([await newest()])).status).toBe(200);
    expect(await read(path)).toMatchObject({ title: 'Two', review_state: 'published' });
  });

  it('all are undone or none, with a reason for each', async () => {
    const { path, added } = await add('/', { title: 'One' });
    const edited = await change('PATCH', path, { title: 'Two' });
    await change('PATCH', path, { title: 'Three' });
    const other = await add('/');
    const count = (await list()).length;
    const refused = await undo([other.added, edited, added, { id: '999999999' }]);
    expect(refused.status).toBe(400);
    expect(reasons(refused)).toEqual([
      `"title" of ${path} has been changed since.`,
      `${path} has been changed since.`,
      'There is no such transaction.',
    ]);
    expect(refused.body.errors.map(({ field }: Json) => field)).toEqual([
      'transaction_ids.1',
      'transaction_ids.2',
      'transaction_ids.3',
    ]);
    expect(await status(other.path)).toBe(200);
    expect((await list()).length).toBe(count);
  });

  describe('cannot be undone any more', () => {
    it('a transaction that is undone already cannot be undone again', async () => {
      const { added } = await add('/');
      await undo([added]);
      expect(reasons(await undo([added]))).toEqual(['This has been undone already.']);
    });

    it('a creation cannot be undone when content was added below', async () => {
      const folder = await add('/', { '@type': 'Folder' });
      const inside = await add(folder.path);
      expect(reasons(await undo([folder.added]))).toEqual([`${folder.path} has been changed since.`]);
      await undo([inside.added]);
      expect((await undo([folder.added])).status).toBe(200);
    });

    it('a deletion cannot be undone when the id is taken or the bin is empty', async () => {
      const { path } = await add('/', { id: 'taken' });
      const deleted = await change('DELETE', path);
      const again = await add('/', { id: 'taken' });
      expect(reasons(await undo([deleted]))).toEqual(['The id "taken" is already in use in /.']);
      await change('DELETE', again.path);
      await request('DELETE', '/@recyclebin');
      expect(reasons(await undo([deleted]))).toEqual(['/taken is no longer in the recycle bin.']);
    });

    it('a move cannot be undone when the content moved again, or the place is taken or gone', async () => {
      const [from, to] = [await add('/', { '@type': 'Folder' }), await add('/', { '@type': 'Folder' })];
      await add(from.path, { id: 'x' });
      const moved = await change('POST', `${to.path}/@move`, { source: `${from.path}/x` });
      const blocker = await add(from.path, { id: 'x' });
      expect(reasons(await undo([moved]))).toEqual([`The id "x" is already in use in ${from.path}.`]);
      await change('DELETE', blocker.path);
      const renamed = await change('PATCH', `${to.path}/x`, { id: 'y' });
      expect(reasons(await undo([moved]))).toEqual([`${to.path}/y has been moved or renamed since.`]);
      await undo([renamed]);
      await change('DELETE', from.path);
      expect(reasons(await undo([moved]))).toEqual([`The folder that ${to.path}/x was in does not exist any more.`]);
    });

    it('a transition or sharing cannot be undone when it has changed since', async () => {
      await addPerson(site, { id: 'reader' });
      const { path } = await add('/');
      const submitted = await change('POST', `${path}/@workflow/submit`);
      await change('POST', `${path}/@workflow/publish`);
      const share = (roles: Json) =>
        change('POST', `${path}/@sharing`, { entries: [{ id: 'reader', type: 'user', roles }] });
      const first = await share({ Reader: true });
      await share({ Editor: true });
      expect(reasons(await undo([submitted, first]))).toEqual([
        `The state of ${path} has been changed since.`,
        `The roles on ${path} have been changed since.`,
      ]);
    });

    it('an edit cannot be undone without versions or while the content is locked', async () => {
      const image = await add('/', { versioning_enabled: false });
      const edited = await change('PATCH', image.path, { title: 'Other' });
      const { path } = await add('/');
      const second = await change('PATCH', path, { title: 'Other' });
      await request('POST', `${path}/@lock`);
      const found = reasons(await undo([edited, second]));
      expect(found[0]).toBe(`${image.path} has no versions.`);
      expect(found[1]).toContain('Resource is locked by');
    });

    it('a change of settings cannot be undone', async () => {
      const changed = await change('PATCH', '/@controlpanels/site', { site_title: 'Other' });
      expect(changed.description).toBe('/\nSettings changed: site');
      expect(reasons(await undo([changed]))).toEqual([
        'Settings cannot be undone here: change them in their control panel.',
      ]);
    });
  });

  it('too many changes at once are not undone', async () => {
    const { added } = await add('/');
    await site.kernel.db.query({
      text: `insert into site_transaction_step (transaction, number, action, path, data)
        select $1, n, 'commented', '/', '{"comment": "added"}' from generate_series(2, 1001) n`,
      values: [Number.parseInt(added.id, 10)],
    });
    const refused = await undo([added]);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'This would undo too many changes at once. Undo fewer transactions.',
    ]);
  });

  it('imported content is recorded, and goes into the bin', async () => {
    const [folder, page] = [await add('/', { '@type': 'Folder' }), await add('/')];
    const { kernel } = site;
    const current = await kernel.sites.current();
    const oids = (
      await kernel.db.query<{ oid: number }>({
        text: 'select oid from content where uid = any($1) order by oid',
        values: [[folder.UID, page.UID]],
      })
    ).map(({ oid }) => oid);
    await kernel.db.query({ text: 'truncate site_transaction cascade' });
    await kernel.db.transaction((tx) =>
      kernel.events.emit('content.imported', { oids, site: current }, { tx, caller: ANONYMOUS }),
    );
    const recorded = await newest();
    expect([recorded.username, recorded.description]).toEqual(['', `${folder.path}\nCreated, and 1 more`]);
    expect((await undo([recorded])).status).toBe(200);
    expect([await status(folder.path), await status(page.path)]).toEqual([404, 404]);
  });

  it('of two concurrent requests only one undoes a transaction', async () => {
    const { path, added } = await add('/');
    const answers = await Promise.all([undo([added]), undo([added])]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
    expect(await status(path)).toBe(404);
  });

  it('a user without permission to change the content cannot undo its transactions', async () => {
    const person = await addPerson(site, { id: 'editor-in-chief', roles: ['Member', 'Editor'] });
    const { added } = await add('/');
    expect((await undo([added], person)).status).toBe(403);
    expect((await request('GET', '/@transactions', { as: person })).status).toBe(403);
    expect((await request('GET', '/@transactions', { as: 'anonymous' })).status).toBe(401);
  });

  it.each([
    {},
    { transaction_ids: [] },
    { transaction_ids: 'x' },
    { transaction_ids: [{}] },
    { transaction_ids: ['x'] },
    { transaction_ids: ['1'.repeat(30)] },
    { transaction_ids: Array.from({ length: 101 }, (_, i) => String(i)) },
  ])('the body %j is rejected with a message', async (json) => {
    const { status: code, body } = await request('PATCH', '/@transactions', { json });
    expect([code, typeof body.message]).toEqual([400, 'string']);
  });

  it('a write costs one statement more, and one that is rejected leaves nothing', async () => {
    const { path } = await add('/');
    const before = await newest();
    await request('PATCH', path, { json: { title: '' } });
    await request('POST', '/', { json: { '@type': 'Nothing' } });
    expect((await newest()).id).toBe(before.id);
  });

  it('old transactions are removed by the setting', async () => {
    await request('PATCH', '/@controlpanels/transactions', { json: { days: 1 } });
    await site.kernel.db.query({ text: `update site_transaction set at = at - interval '2 days'` });
    const { added } = await add('/');
    const action = site.kernel.jobActions.get('prune-transactions');
    await action?.run({ kernel: site.kernel } as never);
    expect((await list()).map(({ id }) => id)).toEqual([added.id]);
  });
});
