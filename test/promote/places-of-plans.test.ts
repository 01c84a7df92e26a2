import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canopy, send, startTwoSites, type TwoSites } from './two-sites.ts';

const idsIn = async ({ dev, live }: TwoSites, path: string) =>
  Promise.all(
    [dev, live].map(async (site) =>
      (await send(site, 'GET', `${path}?b_size=100`)).items.map(({ id, title }: Record<string, string>) => [id, title]),
    ),
  );

describe('places of the content of a plan', { timeout: 20_000 }, () => {
  let sites: TwoSites;
  let tokens: [string, string];
  let plan: string;
  let round = 0;
  let top = '';

  const compare = (...more: string[]) =>
    canopy(
      ...['diff', sites.live.url, sites.dev.url, '--token-file', tokens[0], '--token-file', tokens[1]],
      ...[`--path=${top}`, `--out=${plan}`, ...more],
    );
  const apply = (...more: string[]) =>
    canopy('apply', plan, '--to', sites.live.url, '--token-file', tokens[0], ...more);
  const rename = (path: string, id: string) => send(sites.dev, 'PATCH', `${top}/${path}`, { id });

  beforeAll(async () => {
    sites = await startTwoSites();
    tokens = [await sites.tokenOf(sites.live), await sites.tokenOf(sites.dev)];
    plan = join(sites.folder, 'plan.json');
  });
  afterAll(() => sites.close());
  beforeEach(async () => {
    round += 1;
    top = `/r${round}`;
    await send(sites.dev, 'POST', '/', { '@type': 'Folder', id: `r${round}`, title: 'Round' });
    for (const id of ['a', 'b', 'c']) await send(sites.dev, 'POST', top, { '@type': 'Folder', id, title: id });
    await compare();
    expect(await apply()).toMatchObject({ code: 0 });
  });

  it('Content that changes its addresses in a circle does so on the other site.', async () => {
    for (const [from, to] of [
      ['a', 'x'],
      ['b', 'a'],
      ['c', 'b'],
      ['x', 'c'],
    ] as const)
      await rename(from, to);
    await compare();
    const done = await apply();
    expect(done).toMatchObject({ code: 0, data: { conflicts: [], notes: [] } });
    expect(done.data.moved).toHaveLength(3);
    const [one, other] = await idsIn(sites, top);
    expect(other).toEqual(one);
    expect(await compare()).toMatchObject({ code: 0 });
  });

  it('A new container takes the address of what it gets.', async () => {
    await rename('a', 'old');
    await send(sites.dev, 'POST', top, { '@type': 'Folder', id: 'a', title: 'new' });
    await send(sites.dev, 'POST', `${top}/a/@move`, { source: `${top}/old` });
    await compare();
    expect(await apply()).toMatchObject({ code: 0, data: { conflicts: [], notes: [] } });
    expect(await send(sites.live, 'GET', `${top}/a/old`)).toMatchObject({ title: 'a' });
    expect(await compare()).toMatchObject({ code: 0 });
  });

  it('New content takes the address of content that goes, whose own content is moved out of it.', async () => {
    await send(sites.dev, 'POST', `${top}/a`, { '@type': 'Page', id: 'page', title: 'Page' });
    await compare();
    await apply();
    await send(sites.dev, 'POST', `${top}/b/@move`, { source: `${top}/a/page` });
    await send(sites.dev, 'DELETE', `${top}/a`);
    await send(sites.dev, 'POST', top, { '@type': 'Page', id: 'a', title: 'Other' });
    await compare();
    expect(await apply()).toMatchObject({ code: 0, data: { conflicts: [], notes: [], removed: [`${top}/a`] } });
    expect(await send(sites.live, 'GET', `${top}/a`)).toMatchObject({ '@type': 'Page', title: 'Other' });
    expect(await send(sites.live, 'GET', `${top}/b/page`)).toMatchObject({ title: 'Page' });
    expect(await compare()).toMatchObject({ code: 0 });
  });

  it('With "keep" what stays on the site keeps its address, and what would take it stays as well.', async () => {
    await send(sites.dev, 'DELETE', `${top}/c`);
    await rename('b', 'c');
    await rename('a', 'b');
    await compare();
    await send(sites.live, 'PATCH', `${top}/c`, { description: 'Ours' });
    const kept = await apply('--conflicts=keep');
    expect(kept).toMatchObject({ code: 3, data: { moved: [], removed: [], notes: [] } });
    expect(kept.data.conflicts.map(({ path, part }: Record<string, string>) => [path, part])).toEqual([
      [`${top}/c`, 'removal'],
      [`${top}/c`, 'name'],
      [`${top}/b`, 'name'],
    ]);
    const [, live] = await idsIn(sites, top);
    expect(live.map(([id]: string[]) => id).sort()).toEqual(['a', 'b', 'c']);
    expect(await apply('--conflicts=take')).toMatchObject({ code: 0, data: { removed: [`${top}/c`] } });
    const [, after] = await idsIn(sites, top);
    expect(after.toSorted()).toEqual([
      ['b', 'a'],
      ['c', 'b'],
    ]);
  });
});
