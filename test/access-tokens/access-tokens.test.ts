import { beforeAll, describe, expect, it } from 'vitest';
import { createKernel } from '../../src/app/create-kernel.ts';
import { serveSite } from '../../src/app/serve-site.ts';
import { requestTo } from '../../src/app/test-client.ts';
import { PASSWORD, peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describeEachEngine('personal access tokens', (engine) => {
  const site = useTestSite(engine);
  const { addUser, as } = peopleOf(site);
  const make = async (user: string, json: Json = {}) =>
    (await site.request('POST', '/@access-tokens', { as: as(user), json: { name: 'A token', ...json } })).body;
  const using = (token: string) => ({ as: { token } });
  const statusWith = async (token: string, method: string, path: string, json?: Json) =>
    (await site.request(method, path, { as: { token }, ...(json ? { json } : {}) })).status;
  const whoIs = async (token: string) => (await site.request('GET', '/@access-tokens', using(token))).status;

  let editor: string;
  beforeAll(async () => {
    editor = await addUser(['Editor', 'Contributor', 'Member']);
    for (const [container, title] of [
      ['/', 'Inside'],
      ['/', 'Outside'],
      ['/inside', 'Report'],
      ['/outside', 'Secret'],
    ])
      await site.request('POST', container ?? '/', { json: { '@type': 'Folder', title } });
  });

  it('a personal access token acts in the name of its user and is shown only once', async () => {
    const { status, body, headers } = await site.request('POST', '/@access-tokens', {
      as: as(editor),
      json: { name: 'Backup', expires: inDays(3) },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Backup', methods: null, subtrees: null, last_used: null });
    expect(body.token).toMatch(/^canopy_[\w-]{43}$/);
    const made = await site.request('POST', '/', {
      as: { token: body.token },
      json: { '@type': PAGE, title: 'Mine' },
    });
    expect([made.status, made.body.creators]).toEqual([201, [editor]]);
    const listed = await site.request('GET', new URL(headers.get('Location') ?? '').pathname, { as: as(editor) });
    expect(listed.body.last_used).not.toBeNull();
    expect(listed.text).not.toContain(body.token);
    const rows = await site.kernel.db.query({ text: 'select * from access_token' });
    expect(JSON.stringify(rows)).not.toContain(body.token);
  });

  it('a wrong access token, or one in the cookie, does not authenticate', async () => {
    const { token } = await make(editor);
    for (const wrong of [`${token.slice(0, -1)}_`, 'canopy_', `canopy_${'a'.repeat(43)}`, `${token} x`])
      expect(await whoIs(wrong)).toBe(401);
    const cookie = await site.request('GET', '/@access-tokens', {
      as: 'anonymous',
      headers: { Cookie: `auth_token=${token}` },
    });
    expect(cookie.status).toBe(401);
    expect(await whoIs(token)).toBe(200);
  });

  it('an access token is valid only for its methods', async () => {
    const { token } = await make(editor, { methods: ['GET'] });
    expect(await statusWith(token, 'GET', '/inside')).toBe(200);
    expect(await statusWith(token, 'HEAD', '/inside')).toBe(200);
    const refused = await site.request('PATCH', '/inside', { as: { token }, json: { title: 'X' } });
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'The token is not good for PATCH: only for GET.',
    ]);
  });

  describe('for a subtree', () => {
    let token: string;
    beforeAll(async () => {
      const made = await make(editor, { subtrees: ['/inside'] });
      token = made.token;
      expect(made.subtrees).toEqual([`${site.url}/inside`]);
    });

    it('an access token for a subtree has the rights of its user there', async () => {
      expect(await statusWith(token, 'PATCH', '/inside/report', { title: 'Changed' })).toBe(204);
      const { body } = await site.request('GET', '/inside/@search', using(token));
      expect(body.items.map((item: Json) => item['@id'])).toContain(`${site.url}/inside/report`);
      const folder = await site.request('GET', '/inside', using(token));
      expect(folder.body.items_total).toBe(1);
    });

    it('an access token for a subtree is rejected elsewhere, at the root and for other content that a request names', async () => {
      for (const [method, path] of [
        ['GET', '/outside'],
        ['GET', '/'],
        ['GET', '/@users'],
        ['GET', '/@access-tokens'],
        ['PATCH', '/outside/secret'],
      ] as const)
        expect(await statusWith(token, method, path, method === 'PATCH' ? { title: 'X' } : undefined)).toBe(403);
      for (const service of ['@copy', '@move']) {
        const json = { source: '/outside/secret' };
        const { body } = await site.request('POST', `/inside/${service}`, { as: { token }, json });
        expect(body).toEqual([]);
      }
      const found = await site.request('GET', '/inside/@search?path.query=/outside', using(token));
      expect(found.body.items_total).toBe(0);
      const both = await site.request('GET', '/inside/@search?path.query=/outside&path.query=/inside', using(token));
      expect(JSON.stringify(both.body.items)).not.toContain('/outside');
    });

    it('an access token for a subtree follows the content when it moves', async () => {
      const own = await site.request('POST', '/', { json: { '@type': 'Folder', title: 'Travels' } });
      const made = await make(editor, { subtrees: [own.body.UID] });
      expect(await statusWith(made.token, 'GET', '/travels')).toBe(200);
      await site.request('POST', '/outside/@move', { json: { source: '/travels' } });
      expect(await statusWith(made.token, 'GET', '/outside/travels')).toBe(200);
      expect(await statusWith(made.token, 'GET', '/outside')).toBe(403);
    });
  });

  it('an access token cannot create or revoke tokens, end or renew sessions, or change how users log in', async () => {
    const { token, id } = await make('admin').then(() =>
      site.request('POST', '/@access-tokens', { json: { name: 'Manager' } }).then(({ body }) => body),
    );
    const other = await addUser();
    for (const [method, path, json] of [
      ['POST', '/@access-tokens', { name: 'More' }],
      ['DELETE', `/@access-tokens/${id}`, undefined],
      ['DELETE', '/@access-tokens', undefined],
      ['DELETE', `/@users/${other}/@access-tokens`, undefined],
      ['DELETE', '/@sessions', undefined],
      ['POST', '/@login-renew', undefined],
      ['PATCH', `/@users/${other}`, { password: 'Another-long-1!' }],
      ['PATCH', `/@users/${other}`, { email: 'thief@example.org' }],
      ['POST', '/@users', { username: 'door', email: 'door@example.org', password: 'Another-long-1!' }],
      ['POST', '/@users/admin/reset-password', { old_password: 'admin', new_password: 'Another-long-1!' }],
    ] as const)
      expect([method, path, await statusWith(token, method, path, json)]).toEqual([method, path, 403]);
    expect(await statusWith(token, 'PATCH', `/@users/${other}`, { fullname: 'Other' })).toBe(204);
  });

  it('a revoked access token ends at once, on all processes and for cached responses', async () => {
    const { config, log, db, blobs } = site.kernel;
    const second = await serveSite(createKernel({ config, log, db, blobs }), {
      host: '127.0.0.1',
      port: 0,
      jobs: false,
    });
    try {
      const elsewhere = requestTo(second.url);
      const { token, id } = await make(editor);
      const ask = () => elsewhere('GET', '/inside', using(token));
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
      const revoked = await site.request('DELETE', `/@access-tokens/${id}`, { as: as(editor) });
      expect([revoked.status, (await ask()).status, await whoIs(token)]).toEqual([204, 401, 401]);
    } finally {
      await second.close();
    }
  });

  it('an access token expires', async () => {
    const { token, id } = await make(editor, { expires: inDays(1) });
    expect(await statusWith(token, 'GET', '/inside')).toBe(200);
    await site.kernel.db.query({ text: `update access_token set expires = now() where id = $1`, values: [id] });
    expect(await statusWith(token, 'GET', '/inside')).toBe(401);
  });

  it('an access token lasts no longer than the site allows', async () => {
    const days = (body: Json) => Math.round((Date.parse(body.expires) - Date.now()) / DAY_MS);
    expect(days(await make(editor))).toBe(90);
    const refused = async (expires: unknown) =>
      (await site.request('POST', '/@access-tokens', { as: as(editor), json: { name: 'x', expires } })).status;
    expect([await refused(null), await refused(inDays(400)), await refused(inDays(-1))]).toEqual([400, 400, 400]);
    await site.request('PATCH', '/@controlpanels/access-tokens', { json: { max_days: 0 } });
    expect((await make(editor, { expires: null })).expires).toBeNull();
  });

  it('the last use of an access token is recorded without a write for each request', async () => {
    const { token } = await make(editor);
    await whoIs(token);
    const { writes } = site.kernel.db;
    await whoIs(token);
    expect(site.kernel.db.writes).toBe(writes);
  });

  it('Managers can list and revoke the access tokens of users, but do not see the tokens themselves', async () => {
    const user = await addUser();
    const { token, id } = await make(user);
    const { body, text } = await site.request('GET', `/@users/${user}/@access-tokens`);
    expect([body.items_total, body.items[0].id, text.includes(token)]).toEqual([1, id, false]);
    const own = await site.request('GET', `/@users/${user}/@access-tokens`, { as: as(user) });
    expect(own.status).toBe(403);
    expect((await site.request('DELETE', `/@users/${user}/@access-tokens/${id}`)).status).toBe(204);
    expect(await whoIs(token)).toBe(401);
  });

  it('a Site Administrator cannot revoke the access tokens of a Manager', async () => {
    const steward = await addUser(['Site Administrator', 'Member']);
    const { status } = await site.request('DELETE', '/@users/admin/@access-tokens', { as: as(steward) });
    expect(status).toBe(403);
  });

  it('access tokens end when their user is removed', async () => {
    const user = await addUser();
    const { token } = await make(user);
    await site.request('DELETE', `/@users/${user}`);
    expect(await whoIs(token)).toBe(401);
  });

  it('a user has a limited number of access tokens, also with concurrent requests', async () => {
    const user = await addUser();
    const { body } = await site.request('POST', '/@login', {
      as: 'anonymous',
      json: { login: user, password: PASSWORD },
    });
    const made = await Promise.all(
      Array.from({ length: 55 }, () =>
        site.request('POST', '/@access-tokens', { as: { token: body.token }, json: { name: 'One of many' } }),
      ),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    const list = await site.request('GET', '/@access-tokens?b_size=20', { as: as(user) });
    expect([list.body.items.length, list.body.items_total]).toEqual([20, 50]);
  });

  it('a request for an access token is rejected with all of its problems', async () => {
    const { status, body } = await site.request('POST', '/@access-tokens', {
      json: { name: ' ', methods: ['LOOK'], subtrees: [] },
    });
    expect([status, body.error.errors.length]).toEqual([400, 3]);
    const unknown = await site.request('POST', '/@access-tokens', { json: { name: 'x', subtrees: ['/nowhere'] } });
    expect([unknown.status, unknown.body.error.message]).toEqual([400, 'subtrees: There is no content "/nowhere".']);
  });
});

describeEachEngine('a way to authenticate that a feature brings', (engine) => {
  const headers = ['x-badge'];
  const site = useTestSite(engine, () => ({
    features: [
      {
        name: 'badges',
        authenticators: [
          () => ({
            name: 'badge',
            headers,
            async authenticate({ header }) {
              const badge = header('x-badge');
              if (badge === undefined) return undefined;
              return badge === 'nobody' ? null : { user: badge, inPerson: true };
            },
          }),
        ],
        loginOptions: [({ base }) => [{ id: 'badge', plugin: 'badge', title: 'Badge', url: `${base}/@badge` }]],
      },
    ],
  }));
  const asBadge = (badge: string) =>
    site.request('GET', '/@access-tokens', { as: 'anonymous', headers: { 'X-Badge': badge } });

  it('an authenticator of a feature determines the caller', async () => {
    expect([(await asBadge('admin')).status, (await asBadge('nobody')).status, (await asBadge('eva')).status]).toEqual([
      200, 401, 401,
    ]);
  });

  it('an authenticator of a feature lists its providers in @login', async () => {
    const { body } = await site.request('GET', '/@login', { as: 'anonymous' });
    expect(body.options).toEqual([{ id: 'badge', plugin: 'badge', title: 'Badge', url: `${site.url}/@badge` }]);
  });

  it('cached responses are separate for callers of an authenticator', async () => {
    await site.request('POST', '/', { json: { '@type': PAGE, title: 'Hidden' } });
    const see = (extra: Record<string, string>) => site.request('GET', '/hidden', { as: 'anonymous', headers: extra });
    for (let round = 0; round < 2; round += 1) {
      const seen = await see({ 'X-Badge': 'admin' });
      expect([seen.status, seen.headers.get('Vary')]).toEqual([200, expect.stringContaining('x-badge')]);
      expect((await see({})).status).toBe(401);
    }
  });
});
