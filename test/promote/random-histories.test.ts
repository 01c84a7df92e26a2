import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../support/property-runs.ts';
import type { TestSite } from '../support/site.ts';
import { canopy, filesIn, send, startTwoSites, type TwoSites } from './two-sites.ts';

/** An act of an editor: numbers choose the objects. */
type Act = {
  kind: 'add' | 'folder' | 'edit' | 'move' | 'rename' | 'remove' | 'publish' | 'order';
  a: number;
  b: number;
};

const act = fc.record<Act>({
  kind: fc.constantFrom('add', 'folder', 'edit', 'edit', 'move', 'rename', 'remove', 'publish', 'order'),
  a: fc.nat(30),
  b: fc.nat(30),
});

/** The paths below the place of the test, containers first. */
async function pathsOn(site: TestSite): Promise<{ path: string; type: string }[]> {
  const { items } = await send(site, 'GET', '/@search?path=/r&sort_on=path&b_size=500');
  return items.map((item: { '@id': string; '@type': string }) => ({
    path: item['@id'].slice(site.url.length),
    type: item['@type'],
  }));
}

/** Does something on a site. What is not possible there is left out. */
async function doAct(site: TestSite, { kind, a, b }: Act, mark: string): Promise<void> {
  const all = await pathsOn(site);
  const folders = all.filter(({ type }) => type === 'Folder');
  const others = all.slice(1);
  const folder = folders[a % folders.length]?.path ?? '/r';
  const one = others[b % Math.max(1, others.length)]?.path;
  if (kind === 'add' || kind === 'folder') {
    await site.request('POST', folder, {
      json: { '@type': kind === 'add' ? 'Page' : 'Folder', title: `${mark} ${a} ${b}` },
    });
    return;
  }
  if (one === undefined) return;
  if (kind === 'edit') await site.request('PATCH', one, { json: { description: `${mark} ${a}`, subjects: [`t${b}`] } });
  if (kind === 'move') await site.request('POST', `${folder}/@move`, { json: { source: one } });
  if (kind === 'rename') await site.request('PATCH', one, { json: { id: `r${a}` } });
  if (kind === 'remove') await site.request('DELETE', one);
  if (kind === 'publish') await site.request('POST', `${one}/@workflow/publish`, { json: {} });
  if (kind === 'order') {
    const parent = one.slice(0, one.lastIndexOf('/'));
    await site.request('PATCH', parent, { json: { ordering: { obj_id: one.slice(parent.length + 1), delta: 'top' } } });
  }
}

describe('random histories', { timeout: 300_000 }, () => {
  let sites: TwoSites;
  beforeAll(async () => {
    sites = await startTwoSites();
  });
  afterAll(() => sites.close());

  it('A site is brought to the state of another one, and the second plan is empty.', async () => {
    const { dev, live, folder } = sites;
    const [devToken, liveToken] = [await sites.tokenOf(dev), await sites.tokenOf(live)];
    const tokens = ['--token-file', liveToken, '--token-file', devToken];
    const plan = join(folder, 'random.json');
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 3, maxLength: 12 }),
        fc.array(act, { minLength: 1, maxLength: 12 }),
        fc.array(act, { maxLength: 3 }),
        async (before, after, meanwhile) => {
          round += 1;
          for (const site of [dev, live]) await site.request('DELETE', '/r');
          await send(dev, 'POST', '/', { '@type': 'Folder', id: 'r', title: 'Random' });
          const bring = async (...more: string[]) => {
            await canopy('diff', live.url, dev.url, ...tokens, '--path=/r', `--out=${plan}`);
            return canopy('apply', plan, '--to', live.url, '--token-file', liveToken, ...more);
          };
          const apply = ['apply', plan, '--to', live.url, '--token-file', liveToken];
          for (const one of before) await doAct(dev, one, `before ${round}`);
          expect(await bring()).toMatchObject({ code: 0, data: { conflicts: [] } });
          for (const one of after) await doAct(dev, one, `after ${round}`);
          expect(await bring()).toMatchObject({ code: 0, data: { conflicts: [] } });
          const rest = await canopy('diff', live.url, dev.url, ...tokens, '--path=/r');
          expect(rest.data.entries).toEqual([]);
          const [one, two] = [join(folder, `dev${round}`), join(folder, `live${round}`)];
          await canopy('pull', dev.url, one, '--token-file', devToken, '--path=/r');
          await canopy('pull', live.url, two, '--token-file', liveToken, '--path=/r');
          expect(filesIn(two)).toEqual(filesIn(one));
          // With edits on both sides: whatever a rule decides, the same plan once more changes nothing.
          for (const act of meanwhile) await doAct(dev, act, `dev ${round}`);
          await canopy('diff', live.url, dev.url, ...tokens, '--path=/r', `--out=${plan}`);
          for (const act of meanwhile) await doAct(live, { ...act, a: act.a + 1 }, `live ${round}`);
          const kept = await canopy(...apply, '--conflicts=keep');
          expect(kept.err).toBe('');
          const again = await canopy(...apply, '--conflicts=keep');
          expect(again.data).toMatchObject({ created: [], changed: [], moved: [], removed: [] });
        },
      ),
      { numRuns: propertyRuns(4, 40) },
    );
  });
});
