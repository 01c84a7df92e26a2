import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canopy, send, startTwoSites, type TwoSites } from './two-sites.ts';

const SCOPE = ['--path=/legal', '--set-up=role'];

describe('a section that is new', { timeout: 60_000 }, () => {
  let sites: TwoSites;
  let tokens: { live: string; dev: string };
  const folder = (name: string) => join(sites.folder, name);
  const pull = (name: string, ...more: string[]) =>
    canopy('pull', sites.dev.url, folder(name), '--token-file', tokens.dev, ...more);
  const plan = () =>
    canopy(
      ...['diff', sites.live.url, folder('after'), '--base', folder('before'), '--token-file', tokens.live],
      ...[...SCOPE, '--out', folder('plan.json')],
    );

  beforeAll(async () => {
    sites = await startTwoSites();
    tokens = { live: await sites.tokenOf(sites.live), dev: await sites.tokenOf(sites.dev) };
  });
  afterAll(() => sites.close());

  it('A folder of the time before it has the set-up; a copy that is there is not emptied by a wrong path.', async () => {
    expect(await pull('before', ...SCOPE)).toMatchObject({
      ...{ code: 0, data: { objects: 0, notes: [expect.stringContaining('no content at /legal')] } },
    });
    const refused = { code: 1, err: expect.stringContaining('no content at /legal') };
    expect(await pull('before', ...SCOPE, '--replace')).toMatchObject(refused);
    expect(await pull('empty', '--path=/legal')).toMatchObject(refused);
  });

  it('The plan leaves out what the site has already: content, its order, and the set-up.', async () => {
    await send(sites.dev, 'POST', '/@roles', { id: 'Lawyer', title: 'Lawyer' });
    await send(sites.dev, 'POST', '/', { '@type': 'Folder', id: 'legal', title: 'Legal' });
    for (const id of ['c2', 'c10', 'c1']) await send(sites.dev, 'POST', '/legal', { '@type': 'Page', id, title: id });
    expect(await pull('after', ...SCOPE)).toMatchObject({ code: 0, data: { objects: 4 } });
    expect(await plan()).toMatchObject({ code: 3, data: { counts: { setup: 1, created: 4, ordered: 1 } } });
    const applied = await canopy(
      ...['apply', folder('plan.json'), '--to', sites.live.url, '--token-file', tokens.live],
    );
    expect(applied).toMatchObject({ code: 0, err: '' });
    await send(sites.live, 'POST', '/@roles', { id: 'Cook', title: 'Cook' });
    expect(await plan()).toMatchObject({
      ...{ code: 0, data: { counts: { setup: 0, created: 0, changed: 0, removed: 0, ordered: 0 } } },
    });
  });

  it('Where neither has the section, the set-up is compared, with a note.', async () => {
    const args = ['diff', sites.live.url, folder('before'), '--token-file', tokens.live, '--path=/nowhere'];
    expect(await canopy(...args, '--set-up=role')).toMatchObject({
      ...{ code: 3, data: { notes: [expect.stringContaining('Neither of both has content at /nowhere')] } },
    });
    expect(await canopy(...args)).toMatchObject({ code: 1, err: expect.stringContaining('Neither of both') });
  });
});
