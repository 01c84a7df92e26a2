import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import type { Json } from '../support/site.ts';
import { canopy, send, startTwoSites, type TwoSites } from './two-sites.ts';

const newUid = () => randomUUID().replaceAll('-', '');

describe('a plan as a proposal', { timeout: 60_000 }, () => {
  let sites: TwoSites;
  let news: Json;
  let page: Json;
  let other: Json;
  let reader: Json;
  let editor: Json;
  const live = (method: string, path: string, json?: unknown, as: Json = 'admin') =>
    sites.live.request(method, path, { as, ...(json === undefined ? {} : { json }) });
  const change = (object: Json, values: Json, more: Json = {}) => ({
    ...{
      change: 'changed',
      uid: object.UID,
      path: new URL(object['@id']).pathname,
      type: 'Page',
      values,
      settings: {},
    },
    ...more,
  });
  const creation = (name: string) => ({
    ...{ change: 'created', uid: newUid(), path: `/news/${name}`, place: { parent: news.UID, name }, type: 'Page' },
    ...{ layout: null, values: { title: name }, settings: { review_state: 'published' } },
  });
  const propose = (body: Json, as: Json = reader) =>
    live('POST', '/@proposals', { title: 'From dev', requests: [{ method: 'POST', path: '/@promotion', body }] }, as);
  const at = (made: { body: Json }, action = '') => `${new URL(made.body['@id']).pathname}${action}`;

  beforeAll(async () => {
    sites = await startTwoSites();
    const site = sites.live;
    news = await send(site, 'POST', '/', { '@type': 'Folder', id: 'news', title: 'News' });
    page = await send(site, 'POST', '/news', { '@type': 'Page', id: 'page', title: 'Page', description: 'Old' });
    other = await send(site, 'POST', '/news', { '@type': 'Page', id: 'other', title: 'Other' });
    reader = await addPerson(site, { id: 'rea', roles: ['Reader'] });
    editor = await addPerson(site, { id: 'edi', roles: ['Editor', 'Contributor'] });
  });
  afterAll(() => sites.close());

  it('Reviewers see its differences, and accept it as one.', async () => {
    const entries = [
      change(page, { description: { from: 'Old', to: 'New' } }),
      creation('made'),
      { change: 'removed', uid: other.UID, path: '/news/other', digest: '' },
    ];
    const made = await propose({ entries, conflicts: 'take' });
    expect(made).toMatchObject({ status: 201, body: { state: 'pending' } });
    expect(await live('GET', '/news/made')).toMatchObject({ status: 404 });
    const seen = await live('GET', at(made));
    expect(seen.body).toMatchObject({ may_approve: true, problem: null, conflicts: [] });
    expect(seen.body.targets.map(({ path }: Json) => path)).toEqual(
      expect.arrayContaining(['/news/page', '/news/other', '/news']),
    );
    const edited = seen.body.changes.find(({ action }: Json) => action === 'edited');
    expect(edited).toMatchObject({
      ...{ path: '/news/page', fields: [{ field: 'description', before: 'Old', after: 'New' }] },
    });
    expect(seen.body.changes.map(({ path }: Json) => path)).toEqual(
      expect.arrayContaining(['/news/page', '/news/made', '/news/other']),
    );
    // An Editor who may add has all rights but that to choose the UID of the new page.
    expect((await live('GET', at(made), undefined, editor)).body.problem).toMatchObject({ request: 0, status: 403 });
    expect(await live('POST', at(made, '/approve'), {}, reader)).toMatchObject({ status: 403 });
    expect((await live('POST', at(made, '/approve'), {})).status).toBe(200);
    expect((await live('GET', '/news/page')).body).toMatchObject({ description: 'New' });
    expect((await live('GET', '/news/made')).body).toMatchObject({ review_state: 'published', creators: ['rea'] });
    expect(await live('GET', '/news/other')).toMatchObject({ status: 404 });
  });

  it('Forty pages are approved as one, and the second approval is refused.', async () => {
    const entries = Array.from({ length: 40 }, (_, n) => creation(`p${n}`));
    const made = await propose({ entries });
    expect(made).toMatchObject({ status: 201, body: { state: 'pending' } });
    const seen = (await live('GET', at(made))).body;
    expect(seen).toMatchObject({ may_approve: true, problem: null, conflicts: [] });
    const paths = seen.changes.flatMap(({ path = '' }: Json) => (/^\/news\/p\d+$/.test(path) ? [path] : []));
    expect(new Set(paths).size).toBe(40);
    expect(await live('GET', '/news/p0')).toMatchObject({ status: 404 });
    expect((await live('POST', at(made, '/approve'), {}, editor)).status).toBe(403);
    expect(await live('GET', '/news/p0')).toMatchObject({ status: 404 });
    expect((await live('POST', at(made, '/approve'), {})).status).toBe(200);
    for (const n of [0, 39])
      expect((await live('GET', `/news/p${n}`)).body).toMatchObject({ review_state: 'published', creators: ['rea'] });
    expect((await live('GET', at(made))).body).toMatchObject({ state: 'approved' });
    expect((await live('POST', at(made, '/approve'), {})).status).toBe(409);
  });

  it('A rejected one changes nothing.', async () => {
    const made = await propose({ entries: [creation('rejected')] });
    expect((await live('POST', at(made, '/reject'), { comment: 'Not now' })).status).toBe(200);
    expect((await live('GET', at(made))).body).toMatchObject({ state: 'rejected' });
    expect(await live('GET', '/news/rejected')).toMatchObject({ status: 404 });
  });

  it('It is merged with what happens meanwhile, and the approver decides at a conflict.', async () => {
    const made = await propose({ entries: [change(page, { description: { from: 'New', to: 'Newer' } })] }, reader);
    expect(made.status).toBe(201);
    await live('PATCH', '/news/page', { title: 'Page of today' });
    expect((await live('GET', at(made))).body).toMatchObject({ out_of_date: true, problem: null, conflicts: [] });
    await live('PATCH', '/news/page', { description: 'By people' });
    const seen = (await live('GET', at(made))).body;
    expect(seen.conflicts).toMatchObject([{ request: 0 }]);
    expect(await live('POST', at(made, '/approve'), {})).toMatchObject({ status: 409 });
    expect((await live('POST', at(made, '/approve'), { on_conflict: 'mine' })).status).toBe(200);
    expect((await live('GET', '/news/page')).body).toMatchObject({ title: 'Page of today', description: 'Newer' });
  });

  it('What a proposal cannot have is refused with what to do.', async () => {
    const piece = { kind: 'role', id: 'X', file: 'roles.json', position: 1, to: { id: 'X', title: 'X' } };
    const role = change(page, {}, { settings: { 'role:user:admin': { to: ['Reader'] } } });
    const many = Array.from({ length: 201 }, () => change(page, {}));
    for (const [body, words] of [
      [{ setup: [piece] }, 'set-up'],
      [{ entries: [role] }, 'local roles'],
      [{ entries: many }, '200 objects'],
      [{ entries: Array.from({ length: 201 }, (_, n) => creation(`n${n}`)) }, '200 objects'],
      [{ entries: [{ change: 'nothing' }] }, 'entries'],
      [{ entries: [change(page, { nothing: { to: 1 } })] }, 'has no field'],
    ] as const) {
      const { status, body: refused } = await propose(body);
      expect([status, JSON.stringify(refused)]).toEqual([400, expect.stringContaining(words)]);
    }
    for (const path of ['/@promotion/plans', '/@promotion?dry_run=1', '/news/@promotion']) {
      const requests = [{ method: 'POST', path, body: {} }];
      expect((await live('POST', '/@proposals', { title: 'x', requests })).status).toBeGreaterThanOrEqual(400);
    }
    expect((await propose({ entries: [change(page, {})] }, 'anonymous')).status).toBe(401);
    const secret = await send(sites.live, 'POST', '/', { '@type': 'Page', id: 'secret', title: 'Secret' });
    const member = await addPerson(sites.live, { id: 'mem', roles: ['Member'] });
    expect((await propose({ entries: [change(secret, { title: { to: 'x' } })] }, member)).status).toBe(403);
  });

  it('The command hands it in, with a token that may do no more than that.', async () => {
    const { live: site, dev, folder } = sites;
    const file = join(folder, 'news.json');
    const entries = [change(page, { description: { from: 'Newer', to: 'Newest' } })];
    writeFileSync(file, JSON.stringify({ format: 'canopy.plan', version: 1, setup: [], entries }));
    const token = join(folder, 'reader.token');
    writeFileSync(token, reader.token);
    const args = ['apply', file, '--to', site.url, '--token-file', token];
    const done = await canopy(...args, '--propose=News of June', '--comment=As decided');
    expect(done.err).toBe('');
    expect(done.code).toBe(0);
    const proposal = await send(site, 'GET', new URL(done.data.proposal).pathname);
    expect(proposal).toMatchObject({ title: 'News of June', comment: 'As decided', state: 'pending' });
    expect((await canopy(...args, '--propose=x', '--dry-run')).code).toBe(2);
    expect((await canopy('apply', file, '--to', dev.kernel.config.dataDir ?? '', '--propose=x')).code).toBe(1);
  });
});
