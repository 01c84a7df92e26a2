import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { canopy, filesIn, send, startTwoSites, type TwoSites } from './two-sites.ts';

const PAGES = 40;
const KINDS = '--set-up=type,behavior,workflow,role,permission';

/** Makes a type with a field, its workflow, a role, and content of the type. */
async function makeProducts(site: TestSite): Promise<void> {
  await send(site, 'POST', '/@roles', { id: 'Translator', title: 'Translator' });
  await send(site, 'POST', '/@workflows', {
    ...{ id: 'product_workflow', title: 'Products', copy_of: 'simple_publication_workflow' },
    states: {
      published: { transitions: ['retract', 'archive'] },
      archived: { title: 'Archived', transitions: ['publish'], permissions: {} },
    },
    transitions: { archive: { title: 'Archive', new_state: 'archived' } },
  });
  await send(site, 'POST', '/@controlpanels/dexterity-types', { id: 'product', title: 'Product' });
  await send(site, 'PATCH', '/@workflow-types', { product: 'product_workflow' });
  await send(site, 'POST', '/@types/product', { factory: 'Text line (String)', title: 'Number' });
  await send(site, 'POST', '/', { '@type': 'Folder', id: 'products', title: 'Products' });
  for (let n = 1; n <= PAGES; n += 1)
    await send(site, 'POST', '/products', { '@type': 'product', id: `p${n}`, title: `Product ${n}`, number: `N${n}` });
  for (const transition of ['publish', 'archive']) await send(site, 'POST', `/products/p1/@workflow/${transition}`, {});
}

describe('a type, a workflow, a role and forty pages', { timeout: 60_000 }, () => {
  let sites: TwoSites;
  let staging: TestSite;
  const tokens = new Map<TestSite, string>();
  const tokenOf = (site: TestSite) => tokens.get(site) ?? '';
  let plan: string;

  /** Makes the plan that brings one site to the state of another one. */
  const compare = (to: TestSite, from: TestSite, ...more: string[]) =>
    canopy('diff', to.url, from.url, '--token-file', tokenOf(to), '--token-file', tokenOf(from), ...more);
  const apply = (to: TestSite, ...more: string[]) =>
    canopy('apply', plan, '--to', to.url, '--token-file', tokenOf(to), ...more);
  const post = (json: Json, as: Json = 'admin') => sites.live.request('POST', '/@promotion', { as, json });
  const roleOf = async (site: TestSite) =>
    (await send(site, 'GET', '/@roles')).find(({ id }: { id: string }) => id === 'Translator');

  beforeAll(async () => {
    sites = await startTwoSites();
    staging = await startTestSite();
    for (const site of [sites.dev, staging, sites.live]) tokens.set(site, await sites.tokenOf(site));
    plan = join(sites.folder, 'plan.json');
    await makeProducts(sites.dev);
  });
  afterAll(async () => {
    await staging?.close();
    await sites.close();
  });

  it('go from dev to staging and from there to production, and the second plans are empty.', async () => {
    for (const [to, from] of [
      [staging, sites.dev],
      [sites.live, staging],
    ] as const) {
      const made = await compare(to, from, '--path=/products', KINDS, `--out=${plan}`);
      expect(made.err).toBe('');
      expect(made).toMatchObject({ code: 3, data: { counts: { created: PAGES + 1, removed: 0 } } });
      const done = await apply(to);
      expect(done.err).toBe('');
      expect(done).toMatchObject({ code: 0, data: { conflicts: [], notes: [], setup: { kept: 0 } } });
      expect(await send(to, 'GET', '/products/p1')).toMatchObject({
        ...{ '@type': 'product', number: 'N1', review_state: 'archived' },
      });
      expect(await send(to, 'GET', '/@workflows/product_workflow')).toMatchObject({ title: 'Products' });
      expect(await roleOf(to)).toMatchObject({ title: 'Translator' });
      const rest = await compare(to, from, '--path=/products', KINDS);
      expect(rest).toMatchObject({ code: 0, data: { setup: [], entries: [] } });
    }
  });

  it('A set-up that both have changed in different parts is merged.', async () => {
    const { dev, live } = sites;
    await send(dev, 'PATCH', '/@roles/Translator', { title: 'Translators' });
    await compare(live, dev, '--set-up=role', '--objects=/dev/null', `--out=${plan}`);
    await send(live, 'PATCH', '/@roles/Translator', { description: 'They translate.' });
    expect(await apply(live)).toMatchObject({ code: 0, data: { setup: { kept: 0 } } });
    expect(await roleOf(live)).toMatchObject({ title: 'Translators' });
  });

  it('The rights of the caller decide, and everything that is refused is listed before anything changes.', async () => {
    const { live } = sites;
    const jo = await addPerson(live, { id: 'jo', roles: ['Member'] });
    const uids = await Promise.all(['p2', 'p3'].map(async (id) => (await send(live, 'GET', `/products/${id}`)).UID));
    const share = (path: string, role: string) =>
      send(live, 'POST', `${path}/@sharing`, { entries: [{ id: 'jo', type: 'user', roles: { [role]: true } }] });
    await share('/products', 'Reader');
    await share('/products/p2', 'Editor');
    const entries = uids.map((uid, at) => ({
      ...{ change: 'changed', uid, path: `/products/p${at + 2}`, type: 'product', settings: {} },
      values: { title: { from: `Product ${at + 2}`, to: 'Other' } },
    }));
    const refused = await post({ entries }, jo);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('/products/p3');
    expect(refused.body.message).not.toContain('/products/p2');
    expect(await send(live, 'GET', '/products/p2')).toMatchObject({ title: 'Product 2' });
    const setup = [{ kind: 'role', id: 'X', file: 'roles.json', position: 1, to: { id: 'X', title: 'X' } }];
    expect((await post({ setup }, jo)).status).toBe(403);
    expect(await post({ entries: entries.slice(0, 1) }, jo)).toMatchObject({
      ...{ status: 200, body: { changed: ['/products/p2'] } },
    });
    const listed = await live.request('GET', '/products/p2/@promotion', { as: jo });
    expect(listed.body.items).toMatchObject([{ path: '/products/p2', rights: true }]);
    expect((await live.request('GET', '/products/@promotion', { as: jo })).status).toBe(403);
    expect((await post({ entries }, 'anonymous')).status).toBe(401);
  });

  it('Broken plans are 400 with what to do.', async () => {
    const { UID: uid } = await send(sites.live, 'GET', '/products/p4');
    const entry = { change: 'changed', uid, path: '/products/p4', type: 'product', settings: {}, values: {} };
    const setting = (name: string, to: unknown) => ({ ...entry, settings: { [name]: { to } } });
    const wrong = [
      { ...entry, values: { nothing: { to: 1 } } },
      { ...entry, values: { title: { from: 'Product 4', to: null } } },
      { ...entry, settings: { review_state: { from: 'private', to: 'nowhere' } } },
      { ...entry, layout: { from: null, to: 'no_such_view' } },
      { ...entry, values: { effective: { to: { data: 5 } } } },
      { ...entry, change: 'unknown' },
      { ...entry, uid: '\u0000' },
      ...[setting('owner', 'jo'), setting('colour', 'red'), setting('inherit_roles', 'no'), setting('constrains', [])],
      ...[setting('role:user:admin', ['Nobody']), setting('role:user:admin', 'Reader'), setting('default_page', 5)],
      ...[
        setting('translation_group', '\u0000'),
        setting('permission:View', {}),
        setting('role:user:\u0000', ['Reader']),
      ],
      { ...entry, change: 'created', uid: 'x', place: { parent: '0'.repeat(32), name: 'x' }, layout: null },
      { ...entry, change: 'created', uid: 'a'.repeat(32), place: { parent: '\u0000', name: '\u0000' }, layout: null },
      { change: 'ordered', uid, path: '/', from: ['\u0000'], to: [5] },
    ];
    for (const one of wrong) {
      const { status, body } = await post({ entries: [one] });
      expect([JSON.stringify(one), status, body.message ?? body.errors]).toEqual([
        ...[JSON.stringify(one), 400, expect.anything()],
      ]);
    }
    const piece = { kind: 'type', id: 'x', file: 'types/x.json', position: 1, to: { id: 'x' } };
    for (const one of [piece, { ...piece, kind: 'nothing' }, { ...piece, to: 5 }])
      expect((await post({ setup: [one] })).status).toBe(400);
    const many = Array.from({ length: 1001 }, () => ({ change: 'removed', uid, path: '/x', digest: '' }));
    expect(await post({ entries: many })).toMatchObject({ status: 400 });
  });

  it('A folder keeps everything of a part of a site, and can be applied with what was added by hand.', async () => {
    const { dev, folder } = sites;
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    await canopy('pull', dev.url, one, '--token-file', tokenOf(dev), '--path=/products');
    await canopy('pull', one, two, '--path=/products');
    expect(filesIn(two)).toEqual(filesIn(one));
    const difference = (...more: string[]) =>
      canopy('diff', dev.url, one, '--token-file', tokenOf(dev), '--path=/products', ...more);
    expect(await difference()).toMatchObject({ code: 0, data: { entries: [] } });
    const file = join(one, 'content/products/p9/_object.json');
    const text = filesIn(one)['content/products/p9/_object.json'] ?? '';
    writeFileSync(file, text.replace('Product 9', 'Product nine'));
    expect(await difference(`--out=${plan}`)).toMatchObject({ code: 3, data: { counts: { changed: 1 } } });
    expect(await apply(dev)).toMatchObject({ code: 0, data: { changed: ['/products/p9'], moved: [] } });
  });
});
