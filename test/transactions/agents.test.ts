import { expect, it } from 'vitest';
import { PUBLISH, rulesOf } from '../content-rules/rule-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { makeDueTransitions } from '../support/make-due-transitions.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { transactionsOf } from './transactions-site.ts';

describeEachEngine('what content rules, scheduled transitions and jobs do', (engine) => {
  const site = useTestSite(engine);
  const { request, newest, undo, change, add, read, status } = transactionsOf(() => site);
  const { folderWith, addRule, assign, addFolder, childrenOf } = rulesOf(site);

  /** The newest entries of the audit log below a path, as `action by agent`. */
  const logged = async (path: string): Promise<string[]> =>
    (await request('GET', `${path}/@audit-log`)).body.items.map(({ user, action, details }: Json) =>
      [user, action, ...(details.by ? [`by ${details.by}`] : [])].join(' '),
    );
  const pathsOf = async (folder: string) => (await childrenOf(folder)).toSorted();

  it('a change by a rule is logged with the rule and the user whose write it followed, in the same transaction', async () => {
    const archive = await addFolder();
    const { folder, rule } = await folderWith({ actions: [PUBLISH, { type: 'copy_item', target_folder: archive }] });
    const { path, added } = await add(folder);
    expect((await read(path)).review_state).toBe('published');
    const by = `by content-rule ${rule}`;
    expect(await logged(path)).toEqual([`admin content.transitioned ${by}`, 'admin content.created']);
    const [copy = ''] = await childrenOf(archive);
    expect(await logged(copy)).toEqual([`admin content.copied ${by}`]);
    expect(added).toMatchObject({
      description: `${path}\nCreated, and 2 more (2 of 3 by content rule ${rule})`,
      username: 'admin',
    });
  });

  it('an undo of a creation takes back what rules have done in the same transaction elsewhere', async () => {
    const archive = await addFolder();
    const { folder } = await folderWith({ actions: [{ type: 'copy_item', target_folder: archive }] });
    const { path, added } = await add(folder);
    expect(await childrenOf(archive)).toHaveLength(1);
    expect((await undo([added])).status).toBe(200);
    expect([await status(path), await childrenOf(archive)]).toEqual([404, []]);
  });

  it('an undo of an edit takes back what a rule has added to it, and no rule follows on the undo', async () => {
    const { folder } = await folderWith({
      event: 'onAfterModified',
      actions: [{ type: 'set_field', field: 'rights', value: 'Rule of $'.concat('{title}') }],
    });
    const { path } = await add(folder, { title: 'One', rights: 'First' });
    const edited = await change('PATCH', path, { title: 'Two' });
    expect(await read(path)).toMatchObject({ title: 'Two', rights: 'Rule of Two' });
    expect((await undo([edited])).status).toBe(200);
    expect(await read(path)).toMatchObject({ title: 'One', rights: 'First' });
    expect((await undo([await newest()])).status).toBe(200);
    expect(await read(path)).toMatchObject({ title: 'Two', rights: 'Rule of Two' });
  });

  it('an undo of an edit is refused when somebody has changed what a rule has set', async () => {
    const { folder, rule } = await folderWith({
      event: 'onAfterModified',
      actions: [{ type: 'set_field', field: 'rights', value: 'Set' }],
    });
    const { path } = await add(folder, { title: 'One' });
    const edited = await change('PATCH', path, { title: 'Two' });
    await change('PATCH', `/@controlpanels/content-rules/${rule}`, { enabled: false });
    await change('PATCH', path, { rights: 'Mine' });
    const refused = await undo([edited]);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].message).toBe(`"rights" of ${path} has been changed since.`);
    expect((await read(path)).title).toBe('Two');
  });

  it('an edit that a rule answers with a removal is undone as a whole', async () => {
    const { folder } = await folderWith({
      event: 'onAfterModified',
      actions: [{ type: 'set_field', field: 'rights', value: 'Set' }, { type: 'delete_item' }],
    });
    const { path, UID } = await add(folder, { title: 'One' });
    const edited = await change('PATCH', path, { title: 'Two' });
    expect(await status(path)).toBe(404);
    expect((await undo([edited])).status).toBe(200);
    expect(await read(path)).toMatchObject({ UID, title: 'One', rights: null });
  });

  it('content that a rule removes as soon as it is added leaves both entries, and an undo finds all as it was', async () => {
    const { folder, rule } = await folderWith({ actions: [{ type: 'delete_item' }] });
    const response = await request('POST', folder, { json: { '@type': 'Folder', id: 'short', title: 'Short' } });
    expect(response.status).toBe(201);
    expect(await logged(folder)).toEqual(
      expect.arrayContaining([`admin content.removed by content-rule ${rule}`, 'admin content.created']),
    );
    expect((await undo([await newest()])).status).toBe(200);
    expect(await pathsOf(folder)).toEqual([]);
  });

  it('an action that fails leaves no entry, and those of the rule before it do', async () => {
    const { folder, rule } = await folderWith({
      actions: [PUBLISH, { type: 'move_item', target_folder: '/nowhere' }, { type: 'delete_item' }],
    });
    const { path } = await add(folder);
    expect(await logged(path)).toEqual([`admin content.transitioned by content-rule ${rule}`, 'admin content.created']);
  });

  it('rules that follow on each other are each named', async () => {
    const folder = await addFolder();
    const first = await addRule({ cascading: true, actions: [PUBLISH] });
    const second = await addRule({
      event: 'onAfterPublish',
      actions: [{ type: 'set_field', field: 'rights', value: 'Published' }],
    });
    for (const rule of [first, second]) await assign(folder, rule);
    const { path, added } = await add(folder);
    expect(await logged(path)).toEqual([
      `admin content.edited by content-rule ${second}`,
      `admin content.transitioned by content-rule ${first}`,
      'admin content.created',
    ]);
    expect(added.description).toContain(`(1 of 3 by content rule ${first}, 1 of 3 by content rule ${second})`);
  });

  it('a scheduled transition is logged and undone like one that is made by hand', async () => {
    const { path } = await add('/');
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await request('POST', `${path}/@scheduled-transitions`, { json: { transition: 'publish', at } });
    await site.kernel.db.query({
      text: `update scheduled_transition s set at = at - interval '2 days', due = due - interval '2 days'
        from content c where c.oid = s.content and c.path = $1`,
      values: [path],
    });
    await makeDueTransitions(site.kernel);
    await expect.poll(async () => (await read(path)).review_state, { timeout: 15_000 }).toBe('published');
    const [entry] = (await request('GET', `${path}/@audit-log?action=content.transitioned`)).body.items;
    expect(entry).toMatchObject({
      ...{ user: 'admin', address: null, path },
      details: { from: 'private', to: 'published', transition: 'publish', by: `scheduled-transition ${body.id}` },
    });
    const transaction = await newest();
    expect(transaction.description).toContain(`from private to published (by scheduled transition ${body.id})`);
    expect((await undo([transaction])).status).toBe(200);
    expect(await read(path)).toMatchObject({ review_state: 'private', effective: null });
  });

  it('a rule that follows on a scheduled transition is named, in the name of who scheduled it', async () => {
    const { folder, rule } = await folderWith({
      event: 'onAfterPublish',
      actions: [{ type: 'set_field', field: 'rights', value: 'Published' }],
    });
    const { path } = await add(folder);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await request('POST', `${path}/@scheduled-transitions`, { json: { transition: 'publish', at } });
    await site.kernel.db.query({
      text: `update scheduled_transition s set at = at - interval '2 days', due = due - interval '2 days'
        from content c where c.oid = s.content and c.path = $1`,
      values: [path],
    });
    await makeDueTransitions(site.kernel);
    await expect.poll(async () => (await read(path)).rights, { timeout: 15_000 }).toBe('Published');
    expect((await logged(path)).slice(0, 2)).toEqual([
      `admin content.edited by content-rule ${rule}`,
      `admin content.transitioned by scheduled-transition ${body.id}`,
    ]);
    expect((await undo([await newest()])).status).toBe(200);
    expect(await read(path)).toMatchObject({ review_state: 'private', rights: null });
  });
});
