import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locate } from '../../src/content/locate.ts';
import { has } from '../../src/content/permissions.ts';
import { ANONYMOUS, callerFor } from '../../src/security/caller.ts';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';

const CALLERS = [
  'Anonymous',
  'Member',
  'Reader',
  'Editor',
  'Contributor',
  'Reviewer',
  'Owner',
  'Site Administrator',
  'Manager',
] as const;
type Name = (typeof CALLERS)[number];
const STATES = ['private', 'published'] as const;
type State = (typeof STATES)[number];

/** A request and what each of CALLERS is answered, in their order. `fresh` ones get an object of their own each time. */
type Row = { request: string; json?: Record<string, unknown>; fresh?: true } & Record<State, string>;

// Columns:        Anonymous Member Reader Editor Contrib. Reviewer Owner SiteAdm. Manager
// biome-ignore format: a table
const VIEW = {
  private:        '401      403    200    200    200      403      200   200      200',
  published:      '200      200    200    200    200      200      200   200      200',
};
// biome-ignore format: a table
const VIEW_NO_FILE = {
  private:        '401      403    404    404    404      403      404   404      404',
  published:      '404      404    404    404    404      404      404   404      404',
};
// biome-ignore format: a table
const MODIFY = {
  private:        '401      403    403    200    403      403      200   200      200',
  published:      '401      403    403    200    403      403      200   200      200',
};
// biome-ignore format: a table
const SITE_MANAGER = {
  private:        '401      403    403    403    403      403      403   403      200',
  published:      '401      403    403    403    403      403      403   403      200',
};
// biome-ignore format: a table
const MATRIX: Row[] = [
  { request: 'GET ', ...VIEW },
  { request: 'GET @lock', ...VIEW },
  { request: 'GET @export', ...VIEW },
  { request: 'GET markdown_view', ...VIEW },
  { request: 'GET ics_view', ...VIEW },
  { request: 'GET rss_view', ...VIEW },
  { request: 'GET @@images/preview_image', ...VIEW_NO_FILE },
  { request: 'GET @@download/preview_image', ...VIEW_NO_FILE },
  { request: 'GET @@display-file/preview_image', ...VIEW_NO_FILE },
  {
    request: 'POST ', json: { '@type': 'Page', title: 'Child' },
    private:      '401      403    403    403    201      403      201   201      201',
    published:    '401      403    403    403    201      403      201   201      201',
  },
  {
    request: 'PATCH ', json: { title: 'Changed' },
    private:      '401      403    403    204    403      403      204   204      204',
    published:    '401      403    403    204    403      403      204   204      204',
  },
  {
    request: 'PATCH ', json: { ordering: { obj_id: 'child', delta: 'top' } },
    private:      '401      403    403    204    403      403      204   204      204',
    published:    '401      403    403    204    403      403      204   204      204',
  },
  { request: 'POST @lock', fresh: true, ...MODIFY },
  { request: 'PATCH @lock', ...MODIFY },
  { request: 'DELETE @lock', ...MODIFY },
  {
    request: 'POST @workflow/publish', fresh: true,
    private:      '401      403    400    400    400      403      400   200      200',
    published:    '401      200    200    200    200      200      200   200      200',
  },
  {
    request: 'POST @workflow/retract', fresh: true,
    private:      '401      403    200    200    200      403      200   200      200',
    published:    '401      400    400    200    400      400      200   200      200',
  },
  {
    request: 'POST @workflow/submit', fresh: true,
    private:      '401      403    400    200    400      403      200   200      200',
    published:    '401      400    400    400    400      400      400   400      400',
  },
  {
    request: 'DELETE ', fresh: true,
    private:      '401      403    403    204    403      403      204   204      204',
    published:    '401      403    403    204    403      403      204   204      204',
  },
  { request: 'GET /@upgrade', ...SITE_MANAGER },
  { request: 'POST /@upgrade', json: { dry_run: true }, ...SITE_MANAGER },
  {
    request: 'GET /@login',
    private:      '200      200    200    200    200      200      200   200      200',
    published:    '200      200    200    200    200      200      200   200      200',
  },
  {
    request: 'POST /@login', json: {},
    private:      '400      400    400    400    400      400      400   400      400',
    published:    '400      400    400    400    400      400      400   400      400',
  },
  {
    request: 'POST /@login-renew',
    private:      '401      200    200    200    200      200      200   200      200',
    published:    '401      200    200    200    200      200      200   200      200',
  },
  {
    request: 'DELETE /',
    private:      '401      403    403    405    403      403      403   405      405',
    published:    '401      403    403    405    403      403      403   405      405',
  },
];

// biome-ignore format: a table
/** Children of a public folder that each caller is listed, in order. The owner owns the last one. */
const LISTED: Record<Name, string> = {
  Anonymous:            'published',
  Member:               'published',
  Reader:               'private pending published owned',
  Editor:               'private pending published future expired owned',
  Contributor:          'private pending published future expired owned',
  Reviewer:             'pending published',
  Owner:                'published owned',
  'Site Administrator': 'private pending published future expired owned',
  Manager:              'private pending published future expired owned',
};

describeEachEngine('permissions over HTTP', (engine) => {
  let site: TestSite;
  let made = 0;
  const as = new Map<Name, Who>();

  /** A page with a child, owned by the caller "Owner". */
  async function page(state: State): Promise<string> {
    made += 1;
    const path = await make(site.kernel, '/', { id: `page-${made}` }, { state, owner: 'owner' });
    await make(site.kernel, path, { id: 'child' });
    return path;
  }

  beforeAll(async () => {
    site = await startTestSite(engine);
    as.set('Anonymous', 'anonymous');
    for (const name of CALLERS.slice(1)) {
      const roles = name === 'Owner' || name === 'Member' ? ['Member'] : ['Member', name];
      as.set(name, await addPerson(site, { id: name.toLowerCase().replace(' ', '-'), roles }));
    }
  });
  afterAll(() => site?.close());

  describe.each(STATES)('on %s content', (state) => {
    let shared: string;
    beforeAll(async () => {
      shared = await page(state);
    });

    it.each(MATRIX)('$request $json', async (row) => {
      const { request, json, fresh } = row;
      const [method = '', service = ''] = request.split(' ');
      const found: string[] = [];
      for (const name of CALLERS) {
        const path = service.startsWith('/') ? service : `${fresh ? await page(state) : shared}/${service}`;
        const { status } = await site.request(method, path, {
          as: as.get(name) ?? 'anonymous',
          ...(json ? { json } : {}),
        });
        found.push(`${name} ${status}`);
      }
      const expected = row[state].split(/ +/);
      expect(found).toEqual(CALLERS.map((name, i) => `${name} ${expected[i]}`));
    });
  });

  it('every service refuses whoever lacks the permission that it declares, before it does anything', async () => {
    const path = await page('private');
    const wrong: string[] = [];
    for (const {
      method,
      name: service,
      context,
      permission,
      checkPermission,
      rest = [''],
    } of site.server.services.all()) {
      if (permission === null || checkPermission) continue;
      const at = context === 'site' ? '/' : path;
      const { site: configured, located } = await locate(site.kernel, at);
      if (!located) throw new Error(`${at} is gone`);
      for (const name of CALLERS) {
        const id = name.toLowerCase().replace(' ', '-');
        const roles = name === 'Owner' || name === 'Member' ? ['Member'] : ['Member', name];
        const caller = name === 'Anonymous' ? ANONYMOUS : callerFor({ id, login: id, fullname: '', roles, groups: [] });
        const allowed = has(configured, caller, located, permission);
        if (allowed && method !== 'GET') continue;
        const address = [at === '/' ? '' : at, service, (rest[0] ?? '').replace(/\{[^}]*\}/g, 'x')]
          .filter((part, i) => i === 0 || part !== '')
          .join('/');
        const { status } = await site.request(method, address || '/', {
          as: as.get(name) ?? 'anonymous',
          ...(method === 'GET' ? {} : { json: {} }),
        });
        const fine = allowed ? status < 500 : status === (name === 'Anonymous' ? 401 : 403);
        if (!fine) wrong.push(`${name} ${method} ${address}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('lists show, count and page by what the caller may view', async () => {
    const folder = await make(site.kernel, '/', { '@type': 'Folder', id: 'folder' }, { state: 'published' });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    await make(site.kernel, folder, { id: 'private' });
    await make(site.kernel, folder, { id: 'pending' }, { state: 'pending' });
    await make(site.kernel, folder, { id: 'published' }, { state: 'published' });
    await make(site.kernel, folder, { id: 'future', effective: tomorrow }, { state: 'published' });
    await make(
      site.kernel,
      folder,
      { id: 'expired', effective: '2001-01-01', expires: yesterday },
      { state: 'published' },
    );
    await make(site.kernel, folder, { id: 'owned' }, { owner: 'owner' });
    for (const name of CALLERS) {
      const expected = LISTED[name].split(' ');
      const whole = await site.request('GET', folder, { as: as.get(name) ?? 'anonymous' });
      expect(
        whole.body.items.map(({ id }: { id: string }) => id),
        name,
      ).toEqual(expected);
      expect(whole.body.items_total, name).toBe(expected.length);
      for (const id of LISTED.Manager.split(' '))
        if (!expected.includes(id)) expect(whole.text, name).not.toContain(`/folder/${id}`);
      const paged: string[] = [];
      for (let start = 0; start < expected.length + 2; start += 1) {
        const { body } = await site.request('GET', `${folder}?b_size=1&b_start=${start}`, {
          as: as.get(name) ?? 'anonymous',
        });
        expect(body.items_total, name).toBe(expected.length);
        paged.push(...body.items.map(({ id }: { id: string }) => id));
      }
      expect(paged, name).toEqual(expected);
    }
  });

  it('content below private content is as visible as its own state says, and its container stays untold', async () => {
    const path = await make(site.kernel, '/', { id: 'closed', title: 'Secret title', description: 'Secret text' });
    await make(site.kernel, path, { id: 'open' }, { state: 'published' });
    const { status, text } = await site.request('GET', `${path}/open`, { as: 'anonymous' });
    expect(status).toBe(200);
    expect(text).not.toContain('Secret');
    expect((await site.request('GET', path, { as: 'anonymous' })).status).toBe(401);
  });
});
