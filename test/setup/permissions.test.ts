import { expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { contentOf } from '../history/history-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE, SITE } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('roles and permissions of a site', (engine) => {
  const site = useTestSite(engine);
  const { add, addUser, share, read, configure } = contentOf(() => site);
  const ask = (method: string, path: string, json?: Json, as: Who = 'admin') =>
    site.request(method, path, { as, ...(json !== undefined && { json }) });
  const give = async (json: Json) => expect((await ask('PATCH', '/@permissions', json)).status).toBe(204);
  const rolesOf = async (permission: string): Promise<string[]> =>
    (await read(`/@permissions/${encodeURIComponent(permission)}`)).roles;
  const problems = async (method: string, path: string, json: Json): Promise<[string, string][]> =>
    (await ask(method, path, json)).body.errors.map(({ field, message }: Json) => [field, message]);
  const status = async (path: string, as: Who, method = 'GET', json?: Json) =>
    (await ask(method, path, json, as)).status;

  it('the use of the API can be taken away from a role: those who lose it are asked to log in, except for @login', async () => {
    const member = await addUser(['Member']);
    expect(await status('/', 'anonymous')).toBe(200);
    expect(await problems('PATCH', '/@permissions', { 'cms.restapi: Use REST API': ['Member'] })).toEqual([
      [
        'cms.restapi: Use REST API',
        'The role "Manager" keeps the permission "cms.restapi: Use REST API": without it nobody could undo this.',
      ],
    ]);
    await give({ 'cms.restapi: Use REST API': ['Member', 'Manager'] });
    try {
      expect([await status('/', 'anonymous'), await status('/@search', 'anonymous')]).toEqual([401, 401]);
      expect([await status('/', member), await status('/', 'admin')]).toEqual([200, 200]);
      const login = await ask('POST', '/@login', { login: 'admin', password: 'wrong' }, 'anonymous');
      expect(login.body.error.type).toBe('Invalid credentials');
    } finally {
      await give({ 'cms.restapi: Use REST API': ['Anonymous'] });
    }
    expect(await status('/', 'anonymous')).toBe(200);
  });

  it('roles are given to a permission one by one, or all of them at once, in the order of the site', async () => {
    await give({ 'Add portal content': { Member: true, Contributor: false } });
    expect(await rolesOf('Add portal content')).toEqual(['Member', 'Owner', 'Site Administrator', 'Manager']);
    const member = await addUser(['Member']);
    expect(await status('/', member, 'POST', { '@type': PAGE, title: 'By a member' })).toBe(201);
    await give({ 'Add portal content': ['Manager', 'Contributor', 'Owner', 'Site Administrator'] });
    expect(await rolesOf('Add portal content')).toEqual(['Owner', 'Contributor', 'Site Administrator', 'Manager']);
    expect(await status('/', member, 'POST', { '@type': PAGE, title: 'No more' })).toBe(403);
  });

  it('every problem is named, and nothing of the request is changed', async () => {
    const before = await read('/@permissions');
    const { status: code, body } = await ask('PATCH', '/@permissions', {
      'Review portal content': ['Manager'],
      'No such permission': ['Manager'],
      'Request review': { Nobody: true },
      'cmf.ManagePortal': [],
    });
    expect([code, body.errors.map(({ field, message }: Json) => [field, message])]).toEqual([
      400,
      [
        ['No such permission', 'There is no such permission.'],
        ['Request review', 'There is no role "Nobody".'],
        [
          'cmf.ManagePortal',
          'The role "Manager" keeps the permission "cmf.ManagePortal": without it nobody could undo this.',
        ],
      ],
    ]);
    expect(await read('/@permissions')).toEqual(before);
  });

  it('lists follow a change of the view permission at once, for content without a workflow', async () => {
    await add('/', { '@type': 'File', file: { data: 'QQ==', encoding: 'base64', filename: 'a.txt' } });
    await configure(KINDS.type, SITE, (data) => ({ ...data, workflow: null }));
    const viewers = async (): Promise<string[]> =>
      (
        await site.kernel.db.query<{ allowed: string[] }>({
          text: `select k.allowed from content join catalog k using (oid) where type = 'File'`,
        })
      )[0]?.allowed ?? [];
    await give({ View: ['Authenticated'] });
    expect([await status('/', 'anonymous'), await viewers()]).toEqual([401, ['role:Authenticated']]);
    await give({ View: ['Anonymous'] });
    expect([await status('/', 'anonymous'), await viewers()]).toEqual([200, ['role:Anonymous']]);
    await configure(KINDS.type, SITE, (data) => ({ ...data, workflow: 'simple_publication_workflow' }));
  });

  it('a role is made, given, renamed, and removed when nobody has it', async () => {
    const made = await ask('POST', '/@roles', { id: 'Translator', title: 'Translator', description: 'Translates.' });
    expect([made.status, made.body, made.headers.get('location')]).toEqual([
      201,
      { '@id': `${site.url}/@roles/Translator`, '@type': 'role', id: 'Translator', title: 'Translator' },
      `${site.url}/@roles/Translator`,
    ]);
    await give({
      'Sharing page: Delegate Translator role': ['Manager'],
      'Modify portal content': { Translator: true },
    });
    const page = await add();
    const user = await addUser(['Member']);
    expect(await status(page, user, 'PATCH', { title: 'Mine' })).toBe(403);
    await share(page, user, 'Translator');
    // The state of a private page decides who may view and change it, and does not name the new role.
    expect(await status(page, user, 'PATCH', { title: 'Mine' })).toBe(403);
    const shown = await read('/@roles/Translator');
    expect(await status('/@roles/Translator', 'admin', 'PATCH', { ...shown, title: 'Interpreter' })).toBe(204);
    expect(await status('/@roles/Translator', 'admin', 'PATCH', { id: 'Other' })).toBe(400);
    expect(await status('/@roles/Translator', 'admin', 'PATCH', { colour: 'red' })).toBe(400);
    expect((await read('/@roles')).map(({ id, title }: Json) => [id, title])).toContainEqual([
      'Translator',
      'Interpreter',
    ]);
    const refused = await ask('DELETE', '/@roles/Translator');
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'The role "Translator" is in use: sharing (1). Take it away there first.',
    ]);
    await ask('POST', `${page}/@sharing`, { entries: [{ id: user.id, roles: { Translator: false } }] });
    expect(await status('/@roles/Translator', 'admin', 'DELETE')).toBe(204);
    expect(await status('/@roles/Translator', 'admin', 'DELETE')).toBe(404);
    expect(await rolesOf('Modify portal content')).toEqual(['Owner', 'Editor', 'Site Administrator', 'Manager']);
    expect(await status('/@permissions/Sharing%20page%3A%20Delegate%20Translator%20role', 'admin')).toBe(404);
  });

  it('roles of the server stay, and a role has an id of its own', async () => {
    const message = async (method: string, path: string, json?: Json) => {
      const { status: code, body } = await ask(method, path, json);
      return [code, body.message ?? body.errors?.[0]];
    };
    expect(await message('DELETE', '/@roles/Reader')).toEqual([
      400,
      'The role "Reader" is part of the server and cannot be removed.',
    ]);
    expect(await problems('POST', '/@roles', { title: 'Guide', colour: 'red' })).toEqual([
      ['colour', 'There is no such member. This takes id, title, description.'],
    ]);
    expect(await problems('PATCH', '/@roles/Reader', { colour: 'red' })).toEqual([
      ['colour', 'There is no such member. This takes @id, @type, id, title, description.'],
    ]);
    expect(await problems('POST', '/@roles', { title: 'reader' })).toEqual([
      ['title', 'There is a role "Reader" already.'],
    ]);
    expect((await ask('POST', '/@roles', { id: 'a/b', title: 'A' })).body.errors[0].field).toBe('id');
    expect((await ask('POST', '/@roles', {})).status).toBe(400);
    await addUser(['Member']);
    expect((await ask('POST', '/@roles', { title: 'Guide' })).status).toBe(201);
    const guide = await addUser(['Guide']);
    expect(await message('DELETE', '/@roles/Guide')).toEqual([
      400,
      'The role "Guide" is in use: users (1). Take it away there first.',
    ]);
    expect(await status(`/@users/${guide.id}`, 'admin', 'DELETE')).toBe(204);
    expect(await status('/@roles/Guide', 'admin', 'DELETE')).toBe(204);
  });
});
