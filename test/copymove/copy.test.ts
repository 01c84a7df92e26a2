import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type MoveSite, startMoveSite } from './move-site.ts';
import { treeProblems } from './tree-problems.ts';

describeEachEngine('copying', (engine) => {
  let site: MoveSite;
  beforeAll(async () => {
    site = await startMoveSite(engine);
  });
  afterAll(() => site?.close());

  it('a copy is a new object of the caller in its initial state, with everything below it', async () => {
    const from = await site.add('/', 'own-from');
    const page = await site.add(from, 'page', { '@type': 'Page', description: 'Text', subjects: ['red'] });
    await site.publish(from);
    await site.publish(page);
    await site.person('somebody-else');
    await site.share(page, 'somebody-else', 'Editor');
    const original = await site.read(page);
    const to = await site.add('/', 'own-to');
    const carla = await site.person('carla');
    await site.share(to, 'carla', 'Contributor', 'Reader');
    const { status, body } = await site.copy(to, from, carla);
    expect([status, body]).toEqual([200, [{ source: site.url + from, target: `${site.url}${to}/own-from` }]]);
    const copy = await site.read(`${to}/own-from/page`);
    expect(copy).toMatchObject({
      title: 'page',
      description: 'Text',
      subjects: ['red'],
      owner: 'carla',
      review_state: 'private',
      effective: null,
      lock: { locked: false },
    });
    expect(copy.UID).not.toBe(original.UID);
    expect(Date.parse(copy.created)).toBeGreaterThan(Date.parse(original.created));
    expect(copy.modified).toBe(copy.created);
    const sharing = (await site.request('GET', `${to}/own-from/page/@sharing`)).body;
    const local = sharing.entries.filter((entry: Json) => Object.values(entry.roles).includes(true));
    expect(local.map((entry: Json) => entry.id)).not.toContain('somebody-else');
    // The original is unchanged.
    expect(await site.read(page)).toMatchObject({ UID: original.UID, owner: 'admin', review_state: 'published' });
    expect(await treeProblems(site.kernel)).toEqual([]);
  });

  it('a copy leaves out what the caller may not view', async () => {
    const from = await site.add('/', 'hidden-from');
    await site.publish(from);
    const shown = await site.add(from, 'shown');
    await site.publish(shown);
    const secret = await site.add(from, 'secret');
    await site.publish(await site.add(secret, 'below-secret'));
    const to = await site.add('/', 'hidden-to');
    const dora = await site.person('dora');
    await site.share(to, 'dora', 'Contributor', 'Reader');
    expect((await site.copy(to, from, dora)).status).toBe(200);
    expect(await site.childIds(`${to}/hidden-from`)).toEqual(['shown']);
    // A hidden source gets the same response as a missing one.
    expect((await site.copy(to, secret, dora)).body).toEqual([]);
  });

  it('a copy keeps its references to other content, and they are indexed', async () => {
    const from = await site.add('/', 'refs');
    const target = await site.read(await site.add(from, 'target', { '@type': 'Page' }));
    const linking = await site.add(from, 'linking', { '@type': 'Page', relatedItems: [target.UID] });
    expect((await site.copy('/', from)).body[0].target).toBe(`${site.url}/copy_of_refs`);
    const copy = await site.read('/copy_of_refs/linking');
    expect(copy.relatedItems.map((item: Json) => item['@id'])).toEqual([target['@id']]);
    const count = `select count(*) as n from reference r join content c on c.oid = r.source where c.path = $1 and r.target = $2`;
    for (const path of [linking, '/copy_of_refs/linking'])
      expect(await site.kernel.db.query({ text: count, values: [path, target.UID] })).toEqual([{ n: 1 }]);
  });

  it('a source of a copy can be a URL with or without prefixes, a path or a UID, and is copied only once', async () => {
    const page = await site.add('/', 'forms', { '@type': 'Page' });
    const { UID } = await site.read(page);
    const to = await site.add('/', 'forms-to');
    const forms = [
      page,
      `${site.url}${page}`,
      `${site.url}/++api++${page}`,
      `${site.url}/Plone/++api++${page}/`,
      `/plone${page}`,
      UID,
    ];
    for (const form of forms) expect((await site.copy(to, form)).body, form).toHaveLength(1);
    expect(await site.childIds(to)).toHaveLength(forms.length);
    expect((await site.copy(to, forms)).body).toHaveLength(1);
    const elsewhere = ['https://elsewhere.example/forms', '//forms', '/forms/%2e%2e/forms', 'no-uid', '/f%00'];
    expect((await site.copy(to, elsewhere)).body).toEqual([]);
    for (const wrong of [3, [null], [''], { path: page }, '../../etc/passwd', '%', 'two words'])
      expect((await site.copy(to, wrong)).status).toBe(400);
  });

  it('copies of copies are named as in Plone, and are the last children', async () => {
    const folder = await site.add('/', 'names');
    const page = await site.add(folder, 'x', { '@type': 'Page' });
    const names: string[] = [];
    for (const source of [page, `${folder}/copy_of_x`, page, `${folder}/copy2_of_x`])
      names.push((await site.copy(folder, source)).body[0].target.split('/').at(-1));
    expect(names).toEqual(['copy_of_x', 'copy2_of_x', 'copy3_of_x', 'copy4_of_x']);
    expect(await site.childIds(folder)).toEqual(['x', ...names]);
    const long = 'l'.repeat(200);
    await site.add(folder, long);
    expect((await site.copy(folder, `${folder}/${long}`)).status).toBe(200);
  });

  it('an object can be copied into itself without endless recursion', async () => {
    const folder = await site.add('/', 'self');
    await site.add(folder, 'page', { '@type': 'Page' });
    expect((await site.copy(folder, folder)).status).toBe(200);
    expect(await site.childIds(folder)).toEqual(['page', 'self']);
    expect(await site.childIds(`${folder}/self`)).toEqual(['page']);
    expect(await treeProblems(site.kernel)).toEqual([]);
  });

  it('a copy of the site root, or into a container that does not take the type, is rejected as a whole', async () => {
    const page = await site.add('/', 'allowed', { '@type': 'Page' });
    const to = await site.add('/', 'strict');
    expect((await site.copy(to, [page, '/'])).status).toBe(400);
    const image = await site.add('/', 'no-container', { '@type': 'Link', remoteUrl: 'https://example.org' });
    expect((await site.copy(image, page)).status).toBeGreaterThanOrEqual(400);
    await site.kernel.db.query({
      text: `update content set constrains = '{"locally_allowed": ["Link"], "immediately_addable": ["Link"]}' where path = $1`,
      values: [to],
    });
    expect((await site.copy(to, [image, page])).status).toBe(403);
    expect(await site.childIds(to)).toEqual([]);
    expect((await site.copy(to, image)).status).toBe(200);
  });

  it('a copy at an old address ends its redirect', async () => {
    const folder = await site.add('/', 'taking');
    const page = await site.add('/', 'was-here', { '@type': 'Page' });
    await site.move(folder, page);
    expect((await site.request('GET', '/was-here')).status).toBe(302);
    await site.copy('/', `${folder}/was-here`);
    expect((await site.request('GET', '/was-here')).status).toBe(200);
    expect(await treeProblems(site.kernel)).toEqual([]);
  });

  it('a copy is found by search at once, by users who may view it', async () => {
    const from = await site.add('/', 'findable', { '@type': 'Page', title: 'Quokka' });
    await site.publish(from);
    const to = await site.add('/', 'find-in');
    await site.copy(to, from);
    const row = `select k.allowed && array['role:Anonymous'] as public, k.searchable @@ plainto_tsquery('simple', 'quokka') as found
      from content c join catalog k using (oid) where c.path = $1`;
    expect(await site.kernel.db.query({ text: row, values: [from] })).toEqual([{ public: true, found: true }]);
    expect(await site.kernel.db.query({ text: row, values: [`${to}/findable`] })).toEqual([
      { public: false, found: true },
    ]);
  });
});
