import { beforeAll, expect, it } from 'vitest';
import { loadPart, type TablePart } from '../../src/features/explain-access/table.ts';
import { parseCsv } from '../../src/lib/text/csv.ts';
import { make, manager } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('the table of @explain-access', (engine) => {
  let counting: CountingDatabase;
  const site = useTestSite(engine, () => ({
    wrap: (db) => {
      counting = new CountingDatabase(db);
      return counting;
    },
  }));
  const who: Record<string, Who> = { Anonymous: 'anonymous' };
  const table = (path: string, query = '', as: Who = 'admin') =>
    site.request('GET', `${path}/@explain-access/table${query}`, { as });

  beforeAll(async () => {
    who.ann = await addPerson(site, { id: 'ann', groups: ['staff'] });
    who.eve = await addPerson(site, { id: 'eve', roles: ['Member', 'Editor'] });
    who.joe = await addPerson(site, { id: 'joe' });
    await make(site.kernel, '/', { '@type': 'Folder', id: 'desk', title: 'Desk' }, { state: 'published' });
    await make(site.kernel, '/desk', { '@type': PAGE, id: 'draft', title: '=1+1' });
    await make(site.kernel, '/desk', { '@type': 'Folder', id: 'mine', title: 'Mine' }, { owner: 'joe' });
    await make(site.kernel, '/desk/mine', { '@type': PAGE, id: 'a', title: 'A' }, { owner: 'joe' });
    await make(site.kernel, '/desk', { '@type': PAGE, id: 'mine-other', title: 'Other' });
    const roles = { Reader: true };
    await site.request('POST', '/desk', { json: { '@type': PAGE, id: 'z', title: 'Z' } });
    await site.request('POST', '/desk/@sharing', { json: { entries: [{ id: 'staff', type: 'group', roles }] } });
  });

  const PATHS = ['/desk', '/desk/draft', '/desk/mine', '/desk/mine-other', '/desk/mine/a', '/desk/z'];
  const pathOf = ({ '@id': url }: Json) => url.slice(site.url.length);

  it('says what each user may do, as the requests of the user say', async () => {
    const users = ['ann', 'eve', 'joe'];
    const { status, body } = await table(
      '/desk',
      `?${users.map((id) => `principal=user:${id}`).join('&')}&principal=role:Anonymous`,
    );
    expect(status).toBe(200);
    expect(body.items.map(pathOf)).toEqual(PATHS);
    for (const item of body.items)
      for (const { id, allowed } of item.principals) {
        const as = who[id] ?? 'anonymous';
        const views = await site.request('GET', pathOf(item), { as });
        expect(allowed.View, `${id} at ${pathOf(item)}`).toBe(views.status === 200);
        const changes = await site.request('PATCH', pathOf(item), { as, json: { description: 'Changed' } });
        expect(allowed['Modify portal content'], `${id} at ${pathOf(item)}`).toBe(changes.status === 204);
      }
  });

  it('has roles, and the users and groups with a role by sharing, unless the request names others', async () => {
    const { body } = await table('/desk/mine', '?permission=View');
    const [folder] = body.items;
    const rows = new Map<string, boolean>(
      folder.principals.map(({ type, id, allowed }: Json) => [`${type}:${id}`, allowed.View]),
    );
    expect(Object.fromEntries(rows)).toMatchObject({
      'role:Anonymous': false,
      'role:Member': false,
      'role:Editor': true,
      'group:staff': true,
      'user:joe': true,
      'user:admin': true,
    });
    expect(rows.has('user:ann')).toBe(false);
  });

  it('comes in parts, in the order of the paths', async () => {
    const paths: string[] = [];
    let next: string | undefined = '/desk/@explain-access/table?b_size=2&permission=View&principal=user:ann';
    let parts = 0;
    while (next !== undefined) {
      const { body }: Json = await site.request('GET', next);
      expect(body.items.length).toBeLessThanOrEqual(2);
      paths.push(...body.items.map(pathOf));
      next = body.batching?.next;
      parts += 1;
    }
    expect(paths).toEqual(PATHS);
    expect(parts).toBe(3);
  });

  it('ends a part early when it has many entries', async () => {
    const { kernel } = site;
    const request = {
      site: await kernel.sites.current(),
      asker: manager(),
      path: '/desk',
      permissions: ['View'],
      principals: ['user:ann', 'user:joe'],
    };
    const parts: string[][] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { rows, next }: TablePart = await loadPart(kernel.db, request, { after, size: 100, maxEntries: 3 });
      parts.push(rows.map(({ node }) => node.path));
      after = next;
    }
    expect(parts).toEqual([PATHS.slice(0, 2), PATHS.slice(2, 4), PATHS.slice(4)]);
  });

  it('leaves out what the caller may not view and share', async () => {
    expect((await table('/desk', '', who.ann)).status).toBe(403);
    expect((await table('/desk', '', 'anonymous')).status).toBe(401);
    const own = await table('/desk/mine', '', who.joe);
    expect(own.body.items.map(pathOf)).toEqual(['/desk/mine', '/desk/mine/a']);
    // A page of somebody else inside of one's own folder.
    await make(site.kernel, '/desk/mine', { '@type': PAGE, id: 'closed', title: 'Closed' });
    await site.request('POST', '/desk/mine/closed/@sharing', { json: { inherit: false } });
    const { body, text } = await table('/desk/mine', '', who.joe);
    expect(body.items.map(pathOf)).toEqual(['/desk/mine', '/desk/mine/a']);
    expect(text).not.toContain('Closed');
    await site.request('DELETE', '/desk/mine/closed');
  });

  it('is a CSV file whose cells no spreadsheet computes', async () => {
    const { status, headers, text } = await site.request(
      'GET',
      '/desk/@explain-access/export?permission=View&principal=user:ann&principal=group:staff',
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toContain('access.csv');
    expect(text).toContain("/desk/draft,'=1+1,");
    const rows = parseCsv(text, { max: 100 }).map(({ cells }) => cells);
    expect(rows).toHaveLength(2 * PATHS.length);
    expect(rows[2]).toEqual({
      path: '/desk/draft',
      title: '=1+1',
      type: PAGE,
      review_state: 'private',
      principal_type: 'user',
      principal: 'ann',
      principal_title: 'ann',
      View: 'yes',
    });
    expect(new Set(rows.map(({ path }) => path))).toEqual(new Set(PATHS));
  });

  it('takes the same number of statements however many objects there are', async () => {
    const small = await counting.during(() => table('/desk', '?b_size=1'));
    const large = await counting.during(() => table('/desk', '?b_size=100'));
    expect(large).toEqual(small);
    expect(large.filter((name) => name.startsWith('explained-'))).toEqual([
      'explained-subtree',
      'explained-containers',
      'explained-groups',
    ]);
  });

  it('unknown names of permissions and principals are 400 with a sentence', async () => {
    for (const [query, message] of [
      ['?permission=Fly', 'There is no permission "Fly".'],
      ['?principal=ann', 'There is no "ann". Name roles, users and groups as role:<id>, user:<id> and group:<id>.'],
      [
        '?principal=user:nn',
        'There is no "user:nn". Name roles, users and groups as role:<id>, user:<id> and group:<id>.',
      ],
    ])
      for (const end of ['table', 'export'])
        expect(await site.request('GET', `/desk/@explain-access/${end}${query}`)).toMatchObject({
          status: 400,
          body: { message },
        });
    const many = Array.from({ length: 51 }, () => 'principal=user:ann').join('&');
    expect((await table('/desk', `?${many}`)).status).toBe(400);
  });
});
