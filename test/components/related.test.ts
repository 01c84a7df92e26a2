import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateContentRow } from '../../src/core/content/statements/write-content.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, RequestOptions } from '../support/site.ts';
import { type ComponentSite, startComponentSite } from './component-site.ts';

const ANONYMOUS: RequestOptions = { as: 'anonymous' };

describeEachEngine('content that belongs together', (engine) => {
  let site: ComponentSite;
  beforeAll(async () => {
    site = await startComponentSite(engine);
    await site.create('/', { id: 'otters', title: 'Otters in rivers', description: 'How otters live' });
    await site.create('/', { id: 'rivers', title: 'Otters in rivers', description: 'How otters live' });
    await site.create('/', { id: 'near', title: 'Rivers and lakes' });
    await site.create('/', { id: 'far', title: 'Steam engines' });
    await site.create('/', { id: 'hidden', title: 'Otters of the vault' });
    await site.create('/', { id: 'gone', title: 'Otters of old', expires: '2001-01-01T00:00:00Z' });
    await site.publish('/otters', '/rivers', '/near', '/far', '/gone');
  });
  afterAll(() => site?.close());

  const related = async (path: string, options?: RequestOptions): Promise<Json[]> =>
    (await site.component(path, 'related', '', options)).items;
  const paths = (items: Json[]): string[] => items.map(({ path }) => path);

  test('@related lists the most similar content first and never the object itself', async () => {
    const items = await related('/otters', ANONYMOUS);
    expect(paths(items)).toEqual(['/rivers', '/near']);
    expect(items[0]).toMatchObject({
      '@id': `${site.url}/rivers`,
      '@type': 'Page',
      title: 'Otters in rivers',
      similarity: 1,
      review_state: 'published',
    });
    expect(items[1].similarity).toBeGreaterThan(0);
    expect(items[1].similarity).toBeLessThan(1);
  });

  test('@related leaves out what the caller may not view and what has expired', async () => {
    expect(paths(await related('/otters'))).toContain('/hidden');
    expect(paths(await related('/otters'))).not.toContain('/gone');
    expect(paths(await related('/otters', ANONYMOUS))).not.toContain('/hidden');
  });

  test('@related leaves out types that searches leave out', async () => {
    await site.configure('search', { types_not_searched: ['Page'] });
    expect(await related('/otters')).toEqual([]);
    await site.configure('search', { types_not_searched: [] });
  });

  test('no text of content breaks the query of @related', async () => {
    const titles = [
      `'; drop table content; --`,
      `it's \\ a | b & c ! (d) <-> e:* 'f'`,
      `C:\\path\\'quoted'`,
      '🦦 !!!',
      'https://example.org/?a=b&c=%27',
    ];
    for (const title of titles) {
      const page = await site.create('/', { title });
      expect(await related(page.path), title).toBeInstanceOf(Array);
    }
    expect(await related('/far', ANONYMOUS)).toEqual([]);
  });

  test('@related lists five objects at most', async () => {
    for (let n = 0; n < 7; n += 1) await site.create('/', { title: `Walrus ${n}` });
    expect(await related('/walrus-0')).toHaveLength(5);
  });

  test('@translations lists those of the group that the caller may view', async () => {
    const en = await site.create('/', { title: 'Events', language: 'en' });
    const nl = await site.create('/', { title: 'Evenementen', language: 'nl' });
    const sv = await site.create('/', { title: 'Evenemang', language: 'sv' });
    for (const { UID } of [en, nl, sv]) {
      const [row] = await site.kernel.db.query<{ oid: number }>({
        text: 'select oid from content where uid = $1',
        values: [UID],
      });
      await updateContentRow(site.kernel.db, row?.oid ?? 0, { translationGroup: 'events' });
    }
    await site.publish(en.path, nl.path);
    const items = async (options?: RequestOptions) =>
      (await site.component(en.path, 'translations', '', options)).items;
    expect(await items()).toEqual([
      { '@id': `${site.url}${nl.path}`, language: 'nl' },
      { '@id': `${site.url}${sv.path}`, language: 'sv' },
    ]);
    expect(await items(ANONYMOUS)).toEqual([{ '@id': `${site.url}${nl.path}`, language: 'nl' }]);
    expect((await site.component('/far', 'translations')).items).toEqual([]);
  });

  test('@catalog shows the address of an internal link only to callers who may view its target', async () => {
    const target = await site.create('/', { title: 'Link target' });
    await site.create('/', { '@type': 'Link', id: 'link', title: 'Link', remoteUrl: target['@id'] });
    await site.publish('/link');
    const remote = async (options?: RequestOptions) =>
      (await site.component('/link', 'catalog', '', options)).getRemoteUrl;
    expect([await remote(), await remote(ANONYMOUS)]).toEqual([target['@id'], null]);
  });
});
