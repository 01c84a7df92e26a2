import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { send } from './two-sites.ts';

let site: TestSite;
let editor: { token: string };
let closed: string;

const LINE = 'Text line (String)';
const post = (json: Json, as: Json = editor) => site.request('POST', '/@promotion', { as, json });
const rehearse = (json: Json, as: Json = editor) => site.request('POST', '/@promotion?dry_run=1', { as, json });
const add = async (path: string, body: Json): Promise<string> =>
  (await send(site, 'POST', path, { '@type': 'Page', ...body })).UID;
const share = (path: string, entries: Json, inherit?: boolean) =>
  send(site, 'POST', `${path}/@sharing`, { entries, ...(inherit !== undefined && { inherit }) });
const change = (uid: string, path: string, parts: Json) => ({
  ...{ change: 'changed', uid, path, type: 'Page', values: {}, settings: {}, ...parts },
});

beforeAll(async () => {
  site = await startTestSite();
  editor = await addPerson(site, { id: 'eve', roles: ['Member'] });
  await send(site, 'POST', '/@types/Page', {
    ...{ factory: LINE, title: 'Closed', id: 'closed', read_permission: 'cmf.ManagePortal' },
  });
  await send(site, 'POST', '/', { '@type': 'Folder', id: 'f', title: 'F' });
  await share('/f', [{ id: 'eve', type: 'user', roles: { Editor: true, Contributor: true } }]);
  closed = await add('/f', { id: 'hidden', title: 'Hidden' });
  await share('/f/hidden', [], false);
});
afterAll(() => site.close());

it('Values of fields that the caller may not read are in no form, and no conflict shows them.', async () => {
  const uid = await add('/f', { id: 'a', title: 'A', closed: 'secret' });
  const { body, text } = await site.request('GET', '/f/a/@promotion', { as: editor });
  expect(body.items).toMatchObject([{ uid, values: { title: 'A' } }]);
  expect(text).not.toContain('secret');
  const refused = await rehearse({
    entries: [change(uid, '/f/a', { values: { closed: { from: 'other', to: 'mine' } } })],
  });
  expect(refused.status).toBe(403);
  expect(refused.text).not.toContain('secret');
});

it('Content that the caller may not view is absent, and a plan finds nothing of it.', async () => {
  const { text } = await site.request('GET', '/f/@promotion', { as: editor });
  expect(text).not.toContain('hidden');
  const byUid = await site.request('GET', `/@promotion?uid=${closed}`, { as: editor });
  expect(byUid.status === 403 || byUid.body.items.length === 0).toBe(true);
  const gone = await rehearse({ entries: [change('b'.repeat(32), '/f/x', { values: { title: { to: 'X' } } })] });
  const hidden = await rehearse({ entries: [change(closed, '/f/x', { values: { title: { to: 'X' } } })] });
  expect(hidden.status).toBe(gone.status);
  expect(hidden.text.replaceAll(closed, 'b'.repeat(32))).toBe(gone.text);
  const removal = { change: 'removed', uid: closed, path: '/f/x', digest: 'x' };
  expect(await post({ entries: [removal] })).toMatchObject({ status: 200, body: { removed: [], same: 1 } });
});

it('A dry run lists conflicts, and does nothing; the member of earlier versions is rejected.', async () => {
  const uid = await add('/f', { id: 'tried', title: 'Here' });
  const plan = { entries: [change(uid, '/f/tried', { values: { title: { from: 'Before', to: 'There' } } })] };
  const stopped = await post(plan);
  expect(stopped).toMatchObject({ status: 409, body: { conflicts: [{ path: '/f/tried' }] } });
  const tried = await rehearse(plan);
  expect(tried).toMatchObject({ status: 200, body: { dry_run: true, changed: [], conflicts: [{ path: '/f/tried' }] } });
  const taken = await rehearse({ ...plan, conflicts: 'take' });
  expect(taken).toMatchObject({
    status: 200,
    body: { dry_run: true, changed: ['/f/tried'], changes: [{ path: '/f/tried' }] },
  });
  expect(await send(site, 'GET', '/f/tried')).toMatchObject({ title: 'Here' });
  expect(await post({ ...plan, dry_run: true })).toMatchObject({ status: 400 });
});

it('A lock of somebody who edits stops a plan.', async () => {
  const uid = await add('/f', { id: 'locked', title: 'Locked' });
  await send(site, 'POST', '/f/locked/@lock', {});
  const entries = [change(uid, '/f/locked', { values: { title: { from: 'Locked', to: 'New' } } })];
  const { status, body } = await post({ entries });
  expect([status, body.message]).toEqual([403, expect.stringContaining('is locked by')]);
  await send(site, 'DELETE', '/f/locked/@lock', { force: true });
  expect(await post({ entries })).toMatchObject({ status: 200, body: { changed: ['/f/locked'] } });
});

it('A place in a container needs the right to add there, before anything of the container is said.', async () => {
  await send(site, 'POST', '/', { '@type': 'Folder', id: 'open', title: 'Open' });
  await share('/open', [{ id: 'eve', type: 'user', roles: { Reader: true } }]);
  await add('/open', { id: 'taken', title: 'Taken' });
  await share('/open/taken', [], false);
  const uid = await add('/f', { id: 'mover', title: 'Mover' });
  const { UID: from } = await send(site, 'GET', '/f');
  const { UID: to } = await send(site, 'GET', '/open');
  for (const name of ['taken', 'free']) {
    const place = { from: { parent: from, name: 'mover' }, to: { parent: to, name } };
    const { status, text } = await post({ entries: [change(uid, '/x', { place })] });
    expect([status, text.includes('address here')]).toEqual([403, false]);
  }
});

it('Rights are changed by those who may delegate roles, and translations by those who may manage them.', async () => {
  const uid = await add('/f', { id: 'shared', title: 'Shared' });
  const settings = { 'role:user:eve': { to: ['Owner'] } };
  expect((await post({ entries: [change(uid, '/f/shared', { settings })] })).status).toBe(403);
  const permission = { 'permission:View': { to: { roles: ['Anonymous'], acquire: false } } };
  expect((await post({ entries: [change(uid, '/f/shared', { settings: permission })] })).status).toBe(403);
  expect((await site.request('GET', '/f/shared')).body.title).toBe('Shared');
});

it('A plan leaves no part of it when one entry is refused.', async () => {
  const uid = await add('/f', { id: 'whole', title: 'Whole' });
  const bad = change(uid, '/f/whole', { values: { nothing: { to: 1 } } });
  const good = change(uid, '/f/whole', { values: { title: { from: 'Whole', to: 'Half' } } });
  expect((await post({ entries: [good, bad] })).status).toBe(400);
  expect(await send(site, 'GET', '/f/whole')).toMatchObject({ title: 'Whole' });
});
