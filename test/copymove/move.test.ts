import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type MoveSite, startMoveSite } from './move-site.ts';
import { treeProblems } from './tree-problems.ts';

describeEachEngine('moving', (engine) => {
  let site: MoveSite;
  beforeAll(async () => {
    site = await startMoveSite(engine);
  });
  afterAll(() => site?.close());

  const where = async (path: string) => {
    const { status, headers } = await site.request('GET', path);
    return status === 302 ? (headers.get('location') ?? '').slice(site.url.length) : status;
  };

  it('a moved object keeps UID, dates, state and local roles, and is the last child', async () => {
    const from = await site.add('/', 'keep-from');
    const page = await site.add(from, 'page', { '@type': 'Page' });
    await site.publish(page);
    await site.person('keeper');
    await site.share(page, 'keeper', 'Editor');
    const before = await site.read(page);
    const to = await site.add('/', 'keep-to');
    await site.add(to, 'first');
    const { body } = await site.move(to, page);
    expect(body).toEqual([{ source: site.url + page, target: `${site.url}${to}/page` }]);
    const after = await site.read(`${to}/page`);
    for (const field of ['UID', 'created', 'modified', 'effective', 'review_state', 'owner'])
      expect(after[field], field).toEqual(before[field]);
    expect(await site.childIds(to)).toEqual(['first', 'page']);
    const rows = await site.kernel.db.query({
      text: 'select local_roles from content where path = $1',
      values: [`${to}/page`],
    });
    expect(rows).toMatchObject([{ local_roles: { 'user:keeper': ['Editor'] } }]);
  });

  it('a move into the present container changes nothing, and a taken id is made unique elsewhere', async () => {
    const [a, b] = [await site.add('/', 'unique-a'), await site.add('/', 'unique-b')];
    const page = await site.add(a, 'x', { '@type': 'Page' });
    await site.add(a, 'y', { '@type': 'Page' });
    await site.add(b, 'x', { '@type': 'Page' });
    expect((await site.move(a, page)).body).toEqual([{ source: site.url + page, target: site.url + page }]);
    expect(await site.childIds(a)).toEqual(['x', 'y']);
    expect((await site.move(b, page)).body[0].target).toBe(`${site.url}${b}/copy_of_x`);
    expect(await where(page)).toBe(`${b}/copy_of_x`);
  });

  it('after a move the new containers decide who may view the content below', async () => {
    const open = await site.add('/', 'open');
    await site.publish(open);
    const closed = await site.add('/', 'closed');
    const page = await site.add(closed, 'file', {
      '@type': 'File',
      file: { data: 'eA==', encoding: 'base64', filename: 'x.txt', 'content-type': 'text/plain' },
    });
    const anonymous = { as: 'anonymous' } as const;
    expect((await site.request('GET', page, anonymous)).status).toBe(401);
    await site.move(open, page);
    expect((await site.request('GET', `${open}/file`, anonymous)).status).toBe(200);
    expect(await treeProblems(site.kernel)).toEqual([]);
    await site.move(closed, `${open}/file`);
    expect((await site.request('GET', page, anonymous)).status).toBe(401);
    expect(await treeProblems(site.kernel)).toEqual([]);
  });

  it('a move of the root, into itself or below itself, or of locked content is rejected as a whole', async () => {
    const folder = await site.add('/', 'refuse');
    const sub = await site.add(folder, 'sub');
    const other = await site.add('/', 'other', { '@type': 'Page' });
    expect((await site.move(folder, '/')).status).toBe(400);
    expect((await site.move(folder, [other, folder])).status).toBe(400);
    expect((await site.move(sub, [other, folder])).status).toBe(400);
    const { body: lock } = await site.request('POST', `${sub}/@lock`, { json: {} });
    expect((await site.move('/', [other, sub])).status).toBe(403);
    expect(await site.childIds(folder)).toEqual(['sub']);
    const token = { headers: { 'Lock-Token': String(lock.token) } };
    expect((await site.request('POST', '/@move', { json: { source: sub }, ...token })).status).toBe(200);
    // A path that only begins with the same characters is not below it.
    const namesake = await site.add('/', 'refuse-not');
    expect((await site.move(namesake, folder)).status).toBe(200);
  });

  it('a move needs the permissions to add to the container and to delete the source', async () => {
    const [from, to] = [await site.add('/', 'rights-from'), await site.add('/', 'rights-to')];
    const page = await site.add(from, 'page', { '@type': 'Page' });
    const eve = await site.person('eve');
    await site.share(from, 'eve', 'Editor', 'Reader');
    expect((await site.move(to, page, eve)).status).toBe(403);
    await site.share(to, 'eve', 'Contributor', 'Reader');
    expect((await site.move(to, page, eve)).status).toBe(200);
    expect((await site.move(from, `${to}/page`, eve)).status).toBe(403);
    expect((await site.move(from, `${to}/page`, 'anonymous')).status).toBe(401);
  });

  it('a source below another source is moved along with that one', async () => {
    const a = await site.add('/', 'nest-a');
    const b = await site.add(a, 'nest-b');
    const to = await site.add('/', 'nest-to');
    expect((await site.move(to, [b, a])).body).toEqual([{ source: site.url + a, target: `${site.url}${to}/nest-a` }]);
    expect(await site.childIds(`${to}/nest-a`)).toEqual(['nest-b']);
  });

  it('old addresses of moved content still redirect after further moves, renames and new content', async () => {
    const a = await site.add('/', 'old-a');
    const page = await site.add(a, 'page', { '@type': 'Page' });
    const b = await site.add('/', 'old-b');
    await site.move(b, a);
    await site.request('PATCH', `${b}/old-a`, { json: { id: 'new-a' } });
    await site.move('/', `${b}/new-a/page`);
    expect([await where(page), await where(`${b}/old-a/page`), await where(`${b}/new-a/page`)]).toEqual([
      '/page',
      '/page',
      '/page',
    ]);
    expect(await where(a)).toBe(`${b}/new-a`);
    // New content takes over only its own address, not those below it.
    await site.add('/', 'old-a');
    expect(await where(a)).toBe(200);
    expect(await where(page)).toBe('/page');
    // A container that moves to an old address ends the redirects of the addresses that it uses.
    const c = await site.add('/', 'old-c');
    await site.request('DELETE', a);
    await site.request('PATCH', c, { json: { id: 'old-a' } });
    expect([await where(a), await where(page), await where(c)]).toEqual([200, '/page', a]);
    // Content that was added after the move redirects from the old address of its container as well.
    await site.add(`${b}/new-a`, 'later', { '@type': 'Page' });
    expect(await where(`${b}/old-a/later`)).toBe(`${b}/new-a/later`);
    await site.move(b, a);
    expect(await treeProblems(site.kernel)).toEqual([]);
  });

  it('a redirect of moved content reveals nothing hidden, and keeps method, service and query', async () => {
    const folder = await site.add('/', 'hide');
    const page = await site.add('/', 'seen', { '@type': 'Page' });
    await site.publish(page);
    await site.move(folder, page);
    expect(await where(`${page}/@workflow?x=1`)).toBe(`${folder}/seen/@workflow?x=1`);
    expect(await where(`/++api++${page}?x=%20y`)).toBe(`/++api++${folder}/seen?x=%20y`);
    const patched = await site.request('PATCH', page, { json: { title: 'New' } });
    expect([patched.status, patched.headers.get('location')]).toEqual([307, `${site.url}${folder}/seen`]);
    await site.request('POST', `${folder}/seen/@workflow/retract`, { json: {} });
    const hidden = await site.request('GET', page, { as: 'anonymous' });
    expect([hidden.status, hidden.headers.get('location')]).toEqual([404, null]);
  });

  it('a move is rejected when a path below would be too long', async () => {
    let deep = await site.add('/', 'deep');
    for (let i = 0; i < 9; i += 1) deep = await site.add(deep, `${i}`.repeat(180));
    let high = await site.add('/', 'high');
    for (let i = 0; i < 3; i += 1) high = await site.add(high, `${i}`.repeat(180));
    expect((await site.move(high, '/deep')).status).toBe(403);
    expect((await site.copy(high, '/deep')).status).toBe(403);
    expect((await site.request('PATCH', '/deep', { json: { id: 'd'.repeat(200) } })).status).toBe(204);
    expect(await treeProblems(site.kernel)).toEqual([]);
  });
});
