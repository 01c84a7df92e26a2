import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/site.ts';
import { canopy, send, startTwoSites, type TwoSites } from './two-sites.ts';

describe('pieces of the set-up that need each other', { timeout: 120_000 }, () => {
  let sites: TwoSites;
  let tokens: string[];
  let pieces: Json[];
  let content: Json[];

  /** The plan that brings the live site to the state of the other one. */
  const plan = async (): Promise<{ setup: Json[]; entries: Json[] }> => {
    const out = join(sites.folder, 'plan.json');
    const { live, dev } = sites;
    const files = tokens.map((file) => `--token-file=${file}`);
    const { code, err } = await canopy(
      'diff',
      live.url,
      dev.url,
      ...files,
      '--set-up=all',
      '--path=/lots',
      `--out=${out}`,
    );
    if (code !== 0 && code !== 3) throw new Error(err);
    return JSON.parse(readFileSync(out, 'utf8'));
  };
  const apply = async (setup: Json[], entries: Json[]) => {
    const { status, body } = await sites.live.request('POST', '/@promotion', { json: { setup, entries } });
    return [status, status === 200 ? body.setup.kept : body.message];
  };
  const opposite = (setup: Json[]): Json[] =>
    setup.map(({ from, to, ...piece }) => ({
      ...piece,
      ...(to === undefined ? {} : { from: to }),
      ...(from === undefined ? {} : { to: from }),
    }));

  beforeAll(async () => {
    sites = await startTwoSites();
    const { dev, live } = sites;
    tokens = [await sites.tokenOf(live), await sites.tokenOf(dev)];
    await send(dev, 'POST', '/@roles', { id: 'Auctioneer', title: 'Auctioneer' });
    await send(dev, 'PATCH', '/@permissions', { 'Add portal content': ['Manager', 'Contributor', 'Auctioneer'] });
    await send(dev, 'POST', '/@vocabularies', {
      id: 'coasts',
      title: 'Coasts',
      items: [{ token: 'n', title: 'North' }],
    });
    await send(dev, 'POST', '/@workflows', {
      ...{ id: 'lot_workflow', title: 'Lots', copy_of: 'simple_publication_workflow' },
      states: {
        published: { permissions: { 'Modify portal content': { roles: ['Manager', 'Auctioneer'], acquire: false } } },
      },
    });
    await send(dev, 'POST', '/@controlpanels/dexterity-types', { id: 'lot', title: 'Lot' });
    await send(dev, 'PATCH', '/@workflow-types', { lot: 'lot_workflow' });
    const coast = { factory: 'Choice', title: 'Coast', vocabulary: { '@id': 'coasts' } };
    await send(dev, 'POST', '/@types/lot', coast);
    await send(dev, 'POST', '/@actions/user', { id: 'lots', title: 'Lots' });
    await send(dev, 'PATCH', '/@controlpanels/navigation', { displayed_types: ['Folder', 'Page', 'lot'] });
    await send(dev, 'POST', '/', { '@type': 'Folder', id: 'lots', title: 'Lots' });
    await send(dev, 'POST', '/lots', { '@type': 'lot', id: 'one', title: 'One' });
    const made = await plan();
    [pieces, content] = [made.setup, made.entries];
  });
  afterAll(() => sites.close());

  it('A plan has all of them, of several kinds.', () => {
    const kinds = [...new Set(pieces.map(({ kind }) => kind))];
    expect(kinds).toEqual(
      expect.arrayContaining(['type', 'workflow', 'role', 'vocabulary', 'permission', 'setting', 'action']),
    );
  });

  // Of two pieces each stands before the other one in one of the two orders.
  it.each([false, true])(
    'They come and go in any order, with the content that needs them. The opposite order: %s',
    async (isReversed) => {
      const ordered = (list: Json[]): Json[] => (isReversed ? list.toReversed() : list);
      expect(await apply(ordered(pieces), content)).toEqual([200, 0]);
      expect(await plan()).toMatchObject({ setup: [], entries: [] });
      expect(await send(sites.live, 'GET', '/lots/one')).toMatchObject({ '@type': 'lot', review_state: 'private' });
      const gone = content.flatMap(({ change, uid, path }) =>
        change === 'created' ? [{ change: 'removed', uid, path, digest: '' }] : [],
      );
      const away = { setup: ordered(opposite(pieces)), entries: gone, conflicts: 'take' };
      const first = await sites.live.request('POST', '/@promotion', { json: away });
      expect([first.status, first.body.message]).toEqual([200, undefined]);
      expect(await sites.live.request('GET', '/lots')).toMatchObject({ status: 404 });
      // Content in the recycle bin can come back: its type stays, with the workflow, the vocabulary and the role that it needs.
      const lines: string[] = first.body.setup.lines;
      expect(lines).toContainEqual(expect.stringContaining('content of this type: 1, 1 of them in the recycle bin'));
      expect((await plan()).setup.map(({ id }) => id)).not.toContain('lot');
      await send(sites.live, 'DELETE', '/@recyclebin');
      const second = await sites.live.request('POST', '/@promotion', { json: away });
      expect([second.status, second.body.message, second.body.setup?.kept]).toEqual([200, undefined, 0]);
      expect((await plan()).setup).toEqual(pieces);
    },
  );

  it('Each two of them that are complete without the others come in both orders, or are refused as a whole.', async () => {
    for (const [at, one] of pieces.entries())
      for (const other of pieces.slice(at + 1)) {
        const both = [await apply([one, other], []), undefined] as const;
        const [status] = both[0];
        if (status === 200) expect((await apply(opposite([one, other]), []))[0]).toBe(200);
        const turned = await apply([other, one], []);
        expect([one.id, other.id, ...turned]).toEqual([one.id, other.id, ...both[0]]);
        if (status === 200) expect((await apply(opposite([other, one]), []))[0]).toBe(200);
        else expect([400, 409]).toContain(status);
      }
    expect((await plan()).setup).toEqual(pieces);
  });
});
