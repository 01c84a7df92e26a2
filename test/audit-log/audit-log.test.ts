import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

const SECRET = 'a-Secret-of-23-characters';

describeEachEngine('the audit log', (engine) => {
  let site: TestSite;
  let editor: Who;
  beforeAll(async () => {
    site = await startTestSite(engine);
    editor = await addPerson(site, { id: 'erin', roles: ['Member', 'Editor', 'Contributor'] });
  });
  afterAll(() => site?.close());

  const request: TestSite['request'] = (...args) => site.request(...args);
  const items = async (query = '', path = ''): Promise<Json[]> =>
    (await request('GET', `${path}/@audit-log${query}`)).body.items;
  /** Sends a request that has to pass, and returns the entries that it has made, the oldest first. */
  async function entriesOf(method: string, path: string, json?: Json, as: Who = 'admin'): Promise<Json[]> {
    const [last] = await items('?b_size=1');
    const { status, text } = await request(method, path, { as, ...(json === undefined ? {} : { json }) });
    if (status >= 400) throw new Error(text);
    const found = await items('?b_size=100');
    return found.filter(({ id }) => id > (last?.id ?? 0)).reverse();
  }
  const actionsOf = async (...args: Parameters<typeof entriesOf>): Promise<string[]> =>
    (await entriesOf(...args)).map(({ action, path, name }: Json) => [action, path, name].filter(Boolean).join(' '));

  it('a write is logged with who, when, what and from where, and the names of what was changed', async () => {
    const [created] = await entriesOf('POST', '/', { '@type': PAGE, id: 'logged', title: 'One' }, editor);
    expect(created).toMatchObject({
      user: 'erin',
      action: 'content.created',
      path: '/logged',
      name: '',
      until: null,
      count: 1,
    });
    expect(created.address).toMatch(/127\.0\.0\.1/);
    expect(Math.abs(Date.now() - Date.parse(created.time))).toBeLessThan(60_000);
    const [edited] = await entriesOf('PATCH', '/logged', { title: 'Two', description: SECRET });
    expect(edited).toMatchObject({
      user: 'admin',
      action: 'content.edited',
      details: { names: ['title', 'description'] },
    });
    expect(await entriesOf('PATCH', '/logged', { title: 'Two' })).toEqual([]);
  });

  it('every kind of change of content has an entry', async () => {
    for (const id of ['from', 'to']) await request('POST', '/', { json: { '@type': 'Folder', id, title: id } });
    await request('POST', '/from', { json: { '@type': PAGE, id: 'a', title: 'A' } });
    await request('POST', '/from', { json: { '@type': PAGE, id: 'b', title: 'B' } });
    const moved = await entriesOf('POST', '/to/@move', { source: '/from/a' });
    expect(moved[0]).toMatchObject({ action: 'content.moved', path: '/to/a', details: { from: '/from/a' } });
    expect(await actionsOf('PATCH', '/to/a', { id: 'c' })).toEqual(['content.renamed /to/c']);
    expect(await actionsOf('POST', '/from/@copy', { source: '/to/c' })).toEqual(['content.copied /from/c']);
    expect(await actionsOf('PATCH', '/from', { ordering: { obj_id: 'c', delta: 'top' } })).toEqual([
      'content.ordered /from',
    ]);
    const [published] = await entriesOf('POST', '/to/c/@workflow/publish');
    expect(published).toMatchObject({
      action: 'content.transitioned',
      details: { transition: 'publish', from: 'private', to: 'published', names: ['effective'] },
    });
    const sharing = { entries: [{ id: 'erin', type: 'user', roles: { Reader: true } }], inherit: false };
    const [shared] = await entriesOf('POST', '/to/@sharing', sharing);
    expect(shared).toMatchObject({ action: 'content.shared', path: '/to', details: { inherit: false } });
    expect(Object.values(shared.details.roles)).toContainEqual(['Reader']);
    expect(await actionsOf('DELETE', '/to/c')).toEqual(['content.removed /to/c']);
    const [entry] = (await request('GET', '/@recyclebin')).body.items;
    expect(await actionsOf('POST', `/@recyclebin/${entry.recycle_id}/restore`, {})).toEqual(['content.restored /to/c']);
    expect(await actionsOf('POST', '/to/c/@lock')).toEqual([]);
  });

  it('an undo is logged with its transactions', async () => {
    await request('POST', '/', { json: { '@type': PAGE, id: 'undone', title: 'One' } });
    const [newest] = (await request('GET', '/@transactions?b_size=1')).body;
    const ids = { transaction_ids: [newest.id] };
    expect(await actionsOf('PATCH', '/@transactions', ids)).toEqual([
      `transactions.undone / ${newest.id.split(' ')[0]}`,
      'content.removed /undone',
    ]);
  });

  it('changes of users and groups are logged, by the names of what was changed', async () => {
    const user = { username: 'uma', email: 'uma@example.org', password: SECRET, roles: ['Member'] };
    expect(await actionsOf('POST', '/@users', user)).toEqual(['user.created / uma']);
    const [edited, password] = await entriesOf('PATCH', '/@users/uma', {
      fullname: 'Uma',
      roles: { Editor: true },
      password: `${SECRET}2`,
    });
    expect(edited).toMatchObject({
      action: 'user.edited',
      name: 'uma',
      details: { names: ['fullname', 'roles'], added: ['Editor'] },
    });
    expect(password).toMatchObject({ action: 'password.changed', name: 'uma' });
    expect(await actionsOf('PATCH', '/@users/uma', { disabled: true })).toEqual(['user.disabled / uma']);
    expect(await actionsOf('PATCH', '/@users/uma', { disabled: false })).toEqual(['user.enabled / uma']);
    expect(await actionsOf('POST', '/@groups', { groupname: 'staff', users: ['uma'] })).toEqual([
      'group.created / staff',
    ]);
    const [group] = await entriesOf('PATCH', '/@groups/staff', { roles: ['Reviewer'], users: { uma: false } });
    expect(group).toMatchObject({
      action: 'group.edited',
      name: 'staff',
      details: { names: ['roles', 'users'], added: ['Reviewer'], removed: ['uma'] },
    });
    expect(await actionsOf('DELETE', '/@groups/staff')).toEqual(['group.removed / staff']);
    expect(await actionsOf('DELETE', '/@users/uma')).toEqual(['user.removed / uma']);
  });

  it('changes of the set-up are logged, and listed by @transactions', async () => {
    const settings = await entriesOf('PATCH', '/@controlpanels/site', { site_title: SECRET });
    expect(settings[0]).toMatchObject({
      action: 'settings.changed',
      name: 'site',
      details: { names: ['site.site_title'] },
    });
    expect(await actionsOf('POST', '/@controlpanels/dexterity-types', { id: 'Recipe', title: 'Recipe' })).toEqual([
      'type.created / Recipe',
    ]);
    const [type] = await entriesOf('POST', '/@types/Recipe', { factory: 'Email', title: 'Cook' });
    expect(type).toMatchObject({ action: 'type.edited', name: 'Recipe' });
    expect(type.details.names).toContain('properties.cook');
    expect(await actionsOf('DELETE', '/@controlpanels/dexterity-types/Recipe')).toEqual(['type.removed / Recipe']);
    expect(await actionsOf('POST', '/@roles', { id: 'Cook', title: 'Cook' })).toEqual(['role.created / Cook']);
    expect(await actionsOf('DELETE', '/@roles/Cook')).toContain('role.removed / Cook');
    const rule = { title: 'Rule', event: 'onAfterAdd' };
    expect(await actionsOf('POST', '/@controlpanels/content-rules', rule)).toEqual(['content-rule.created / rule']);
    expect(await actionsOf('DELETE', '/@controlpanels/content-rules/rule')).toEqual(['content-rule.removed / rule']);
    const job = { id: 'nightly', action: 'purge-recyclebin', params: {}, schedule: '0 3 * * *', enabled: true };
    expect(await actionsOf('POST', '/@scheduled-jobs', job)).toEqual(['scheduled-job.created / nightly']);
    expect(await actionsOf('DELETE', '/@scheduled-jobs/nightly')).toEqual(['scheduled-job.removed / nightly']);
    const aliases = { items: [{ path: '/old', 'redirect-to': '/logged' }] };
    expect(await actionsOf('POST', '/@aliases', aliases)).toEqual(['aliases.added /']);
    const [removed] = (await request('GET', '/@transactions?b_size=10')).body;
    expect(removed.description).toBe('/\nAliases added: /old');
    const undo = await request('PATCH', '/@transactions', { json: { transaction_ids: [removed.id] } });
    expect(undo.status).toBe(200);
    expect((await request('GET', '/@transactions?b_size=1')).body[0].description).toContain('Undo of transaction');
  });

  it('preview links and scheduled transitions are logged with their content', async () => {
    const own = await tokenOf(site, 'admin');
    await request('POST', '/', { json: { '@type': PAGE, id: 'later', title: 'Later' } });
    const [link] = await entriesOf('POST', '/later/@preview-links', {}, own);
    expect(link).toMatchObject({ user: 'admin', action: 'preview-link.created', path: '/later' });
    expect(await actionsOf('DELETE', `/later/@preview-links/${link.name}`)).toEqual([
      `preview-link.revoked /later ${link.name}`,
    ]);
    const wish = { transition: 'publish', at: '2099-01-01T00:00:00Z' };
    const [waiting] = await entriesOf('POST', '/later/@scheduled-transitions', wish);
    expect(waiting).toMatchObject({
      action: 'scheduled-transition.created',
      path: '/later',
      details: { names: ['publish'] },
    });
    expect(await actionsOf('DELETE', `/later/@scheduled-transitions/${waiting.name}`)).toEqual([
      `scheduled-transition.removed /later ${waiting.name}`,
    ]);
  });

  it('submissions of forms and mails are logged without their contents', async () => {
    const schema = {
      fieldsets: [{ id: 'default', title: 'Default', fields: ['name'] }],
      properties: { name: { title: 'Your name', type: 'string', factory: 'label_text_field' } },
      required: [],
    };
    const blocks = { f1: { '@type': 'schemaForm', store: true, send: false, schema } };
    await request('POST', '/', {
      json: { '@type': PAGE, id: 'contact', title: 'Contact', blocks, blocks_layout: { items: ['f1'] } },
    });
    await request('POST', '/contact/@workflow/publish', { json: {} });
    const json = { block_id: 'f1', data: { name: 'Not to be logged' } };
    expect((await request('POST', '/contact/@schemaform-data', { as: 'anonymous', json })).status).toBe(204);
    const empty = { as: 'anonymous', json: { block_id: 'f1', data: {} } } as const;
    expect((await request('POST', '/contact/@schemaform-data', empty)).status).toBe(400);
    const { items } = (await request('GET', '/contact/@audit-log?action=form-data')).body;
    expect(items).toMatchObject([
      { user: '', action: 'form-data.submitted', path: '/contact', name: 'f1', details: {} },
    ]);
    expect(items).toHaveLength(1);
    expect(items[0].address).not.toBe('');
    await request('PATCH', '/@controlpanels/mail', {
      json: { smtp_host: '127.0.0.1', smtp_port: 1, email_from_address: 'site@example.org' },
    });
    const mail = { name: 'Ann', from: 'ann@example.org', message: 'Not to be logged' };
    expect((await request('POST', '/contact/@email-notification', { json: mail })).status).toBe(204);
    expect((await request('POST', '/contact/@email-send', { json: { ...mail, to: 'x@example.org' } })).status).toBe(
      204,
    );
    const sent = (await request('GET', '/contact/@audit-log?action=mail')).body.items;
    expect(sent.map(({ action, user }: Json) => [action, user])).toEqual([
      ['mail.sent', 'admin'],
      ['mail.sent', 'admin'],
    ]);
  });

  it('tokens, second factors, sessions and passwords are logged without what they are', async () => {
    const own = await tokenOf(site, 'admin');
    const [token] = await entriesOf('POST', '/@access-tokens', { name: 'Backup' }, own);
    expect(token).toMatchObject({
      user: 'admin',
      action: 'access-token.created',
      name: 'admin',
      details: { names: ['Backup'] },
    });
    expect(await actionsOf('DELETE', '/@access-tokens', undefined, own)).toEqual(['access-token.revoked / admin']);
    await request('POST', '/@users', { json: { username: 'pat', email: 'pat@example.org', password: SECRET } });
    const change = { old_password: SECRET, new_password: `${SECRET}2` };
    const pat = { login: 'pat', password: SECRET };
    expect(await actionsOf('POST', '/@users/pat/reset-password', change, pat)).toEqual(['password.changed / pat']);
    const session = await tokenOf(site, 'pat');
    expect(await actionsOf('DELETE', '/@sessions', undefined, session)).toEqual(['session.ended / pat']);
  });

  it('logins, logouts and failed logins are logged, failures as one counted row', async () => {
    await request('POST', '/@users', { json: { username: 'lou', email: 'lou@example.org', password: SECRET } });
    const login = (json: Json) => request('POST', '/@login', { as: 'anonymous', json });
    expect((await login({ login: 'lou', password: SECRET })).status).toBe(200);
    expect((await items('?action=login.succeeded&user=lou'))[0]).toMatchObject({ name: 'lou', path: '/' });
    for (let i = 0; i < 3; i += 1) await login({ login: 'lou', password: 'wrong' });
    for (let i = 0; i < 4; i += 1) await login({ login: `${SECRET} ${i}`, password: 'wrong' });
    const failed = await items('?action=login.failed');
    expect(failed.map(({ name, count, user, details }) => [name, count, user, details])).toEqual([
      ['', 4, '', { factor: 'password' }],
      ['lou', 3, '', { factor: 'password' }],
    ]);
    expect(Date.parse(failed[0].until)).toBeGreaterThanOrEqual(Date.parse(failed[0].time));
    await request('GET', '/', { as: { login: 'lou', password: 'wrong again' } });
    expect((await items('?action=login.failed&name=lou'))[0].count).toBe(4);
    const token = (await login({ login: 'lou', password: SECRET })).body.token;
    expect(await actionsOf('POST', '/@logout', {}, { token })).toEqual(['login.ended / lou']);
  });

  it('no secret is in the log', async () => {
    const { text } = await request('GET', '/@audit-log/export?format=jsonl');
    expect(text.split('\n').length).toBeGreaterThan(30);
    expect(text).not.toContain(SECRET);
  });

  it('entries are filtered by user, action, path, address and time, and come page by page', async () => {
    expect(new Set((await items('?user=erin')).map(({ user }) => user))).toEqual(new Set(['erin']));
    expect(new Set((await items('?action=group')).map(({ action }) => action))).toEqual(
      new Set(['group.created', 'group.edited', 'group.removed']),
    );
    const below = await items('?path=/to&b_size=1000');
    expect(below.length).toBeGreaterThan(3);
    expect(below.every(({ path }) => path === '/to' || path.startsWith('/to/'))).toBe(true);
    expect(await items('?address=192.0.2.1')).toEqual([]);
    expect(await items('?until=2001-01-01')).toEqual([]);
    expect((await items('?since=2001-01-01&b_size=2')).length).toBe(2);
    const all = await items('?b_size=1000');
    const first = await request('GET', '/@audit-log?b_size=3&action=content');
    const next = new URL(first.body.batching.next);
    const second = (await request('GET', `${next.pathname}${next.search}`)).body.items;
    expect([...first.body.items, ...second].map(({ id }: Json) => id)).toEqual(
      all
        .filter(({ action }) => action.startsWith('content.'))
        .map(({ id }) => id)
        .slice(0, 6),
    );
    expect((await items('?b_size=99999')).length).toBe(all.length);
    for (const query of ['b_size=many', 'before=x', 'since=yesterday', 'format=xml', 'user=%00'])
      expect((await request('GET', `/@audit-log/${query.startsWith('format') ? 'export' : ''}?${query}`)).status).toBe(
        400,
      );
  });

  it('content has its own log, wherever it was, and that of what is below', async () => {
    const of = await items('?deep=false', '/to/c');
    expect(of.map(({ action }) => action)).toEqual([
      'content.restored',
      'content.removed',
      'content.transitioned',
      'content.renamed',
      'content.moved',
      'content.created',
    ]);
    expect(of.at(-1)?.path).toBe('/from/a');
    const below = (await items('?b_size=1000', '/from')).map(({ path }) => path);
    expect(below).toContain('/from/b');
    expect(below.every((path) => path === '/from' || path.startsWith('/from/'))).toBe(true);
    expect((await items('?deep=0', '/from')).map(({ action }) => action)).toEqual([
      'content.ordered',
      'content.created',
    ]);
  });

  it('the log is exported as CSV and as lines of JSON', async () => {
    const csv = await request('GET', '/@audit-log/export?user=erin');
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('content-disposition')).toContain('audit-log.csv');
    expect(csv.text.split('\r\n')[0]).toBe('id,time,until,count,user,address,action,path,name,details');
    const lines = (await request('GET', '/@audit-log/export?format=jsonl&b_size=1')).text.trim().split('\n');
    const [newest] = await items('?b_size=1');
    expect(JSON.parse(lines[0] ?? '')).toEqual(newest);
    expect(lines.length).toBe((await items('?b_size=1000')).length);
  });

  it('only those who have the permission see it, and nobody changes it', async () => {
    expect((await request('GET', '/@audit-log', { as: 'anonymous' })).status).toBe(401);
    expect((await request('GET', '/@audit-log', { as: editor })).status).toBe(403);
    expect((await request('GET', '/to/@audit-log/export', { as: editor })).status).toBe(403);
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      expect((await request(method, '/@audit-log', { json: {} })).status).toBeGreaterThanOrEqual(404);
  });

  it('entries over the retention period are removed, but a setting of few days removes none', async () => {
    const tooFew = await request('PATCH', '/@controlpanels/audit-log', { json: { days: 1 } });
    expect(tooFew.status).toBe(400);
    expect((await request('PATCH', '/@controlpanels/audit-log', { json: { days: 30 } })).status).toBe(204);
    const { kernel } = site;
    await kernel.db.query({
      text: `insert into audit_entry (at, actor, action, path, name, data)
        select now() - interval '31 days', 'old', 'content.edited', '/', '', '{}' from generate_series(1, 2500)`,
    });
    const run = async () => {
      const action = kernel.jobActions.get('prune-audit-log');
      if (!action) throw new Error('There is no such job');
      const { signal } = new AbortController();
      return action.run({ kernel, params: {}, signal, progress() {} } as unknown as Parameters<typeof action.run>[0]);
    };
    expect(await run()).toEqual({ entries: 2500 });
    expect(await items('?user=old')).toEqual([]);
    expect((await items()).length).toBeGreaterThan(10);
    await request('PATCH', '/@controlpanels/audit-log', { json: { days: 0 } });
    expect(await run()).toEqual({ entries: 0 });
  });

  describe('a transaction that fails', () => {
    it('leaves no entry', async () => {
      const [last] = await items('?b_size=1');
      await request('POST', '/', { json: { '@type': PAGE, id: 'logged', title: 'Taken', '@id': 5 } });
      await request('POST', '/@groups', { json: { groupname: 'erin' } });
      await request('PATCH', '/@users/admin', { json: { roles: { Manager: false } } });
      expect(
        (await items('?b_size=1'))[0].action === 'content.created' || (await items('?b_size=1'))[0].id === last.id,
      ).toBe(true);
      expect(await items('?name=admin&action=user')).toEqual([]);
    });
  });
});
