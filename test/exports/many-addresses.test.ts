import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { create, publish } from '../files/file-content.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { seedContent } from './seed-content.ts';

describeEachEngine('the sitemap of a large site', (engine) => {
  const site = useTestSite(engine);
  const located = async (path: string, textOf: (bytes: Buffer) => string): Promise<string[]> => {
    const response = await fetch(`${site.url}${path}`);
    const text = textOf(Buffer.from(await response.arrayBuffer()));
    return [...text.matchAll(/<loc>([^<]*)/g)].map(([, url = '']) => url.slice(site.url.length));
  };

  it('It is a list of sitemaps, which have each address once, and llms.txt stays short.', async () => {
    await create(site, '/', { '@type': 'Folder', id: 'open', title: 'Open' });
    await publish(site, '/open');
    await seedContent(site, '/open', 'Page', 5100);
    for (const [name, textOf] of [
      ['sitemap.xml', (bytes: Buffer) => bytes.toString()],
      ['sitemap.xml.gz', (bytes: Buffer) => gunzipSync(bytes).toString()],
    ] as const) {
      const files = await located(`/${name}`, textOf);
      expect(files).toEqual([`/${name}?page=1`, `/${name}?page=2`]);
      const pages = [await located(files[0] ?? '', textOf), await located(files[1] ?? '', textOf)];
      expect(pages[0]).toHaveLength(5000);
      const below = pages.flat().filter((path) => path.startsWith('/open/'));
      expect([below.length, new Set(below).size]).toEqual([5100, 5100]);
    }
    const { text } = await site.request('GET', '/llms.txt', { as: 'anonymous' });
    expect(text.match(/^- /gm)?.length).toBeLessThan(100);
  });
});
