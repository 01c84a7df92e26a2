import { describe, expect, it } from 'vitest';
import { siteAddress } from '../../../packages/plone-export/src/site-address.ts';
import { all, open, page, site, writeExport } from './helpers.ts';

const paths = async (...objects: Record<string, unknown>[]): Promise<string[]> => {
  const dir = await writeExport({ 'all.json': objects });
  return (await all((await open(dir)).items())).map((item) => item.path);
};

describe('addresses of objects', () => {
  it("addresses lose the site's prefix with or without a host, but not names that only begin like it", async () => {
    expect(await paths(page('/Plone/a'), site('/Plone'))).toEqual(['/', '/a']);
    expect(await paths(page('/a'), site('/Plone'))).toEqual(['/', '/a']);
    expect(await paths(site('http://localhost:8080/Plone'), page('http://localhost:8080/Plone/a/'))).toEqual([
      '/',
      '/a',
    ]);
    expect(await paths(site('https://example.org'), page('https://example.org/a'))).toEqual(['/', '/a']);
    expect(await paths(site('/Plone'), page('/Plones/a'))).toEqual(['/', '/Plones/a']);
  });

  it('a folder with the name of the site keeps it in its address', async () => {
    expect(await paths(site('/Plone'), page('/Plone'), page('/Plone/a'))).toEqual(['/', '/Plone', '/Plone/a']);
  });

  it('addresses are relative to the root that a child names when the root is not exported', async () => {
    const parent = { '@id': 'http://h/Plone', '@type': 'Plone Site' };
    expect(await paths(page('http://h/Plone/a', { parent }), page('http://h/Plone/a/b'))).toEqual(['/a', '/a/b']);
  });

  it('addresses are decoded, except for names that were never encoded', async () => {
    expect(await paths(page('http://h/my%20file%25.png'), page('/100%.png'))).toEqual(['/my file%.png', '/100%.png']);
    expect(await paths(page('/a%2Fb'), page('/%2e%2e/x'))).toEqual([]);
  });

  it('links of fields become paths, addresses in texts and of other sites stay', async () => {
    const { link } = siteAddress('http://h/Plone', () => false);
    expect(link('http://h/Plone/a#b')).toBe('/a#b');
    expect(link('http://h/Plone')).toBe('/');
    expect(link('http://h/Plonex/a')).toBe('http://h/Plonex/a');
    expect(link('<a href="http://h/Plone/a">x</a>')).toBe('<a href="/a">x</a>');
    expect(link('see http://h/Plone/a')).toBe('see http://h/Plone/a');
  });
});

describe('values of fields', () => {
  it('field values become independent of the exported site', async () => {
    const dir = await writeExport({
      'all.json': [
        site('http://h/Plone'),
        page('http://h/Plone/a', {
          language: { token: 'de', title: 'Deutsch' },
          level: { token: 'gold', title: 'Gold' },
          tags: [{ token: 'x', title: 'X' }],
          start: '2024-05-06T07:08:09',
          blocks: { b: { href: [{ '@id': 'http://h/Plone/c' }], date: '2024-05-06T07:08:09' } },
        }),
      ],
    });
    const item = (await all((await open(dir)).items()))[1];
    expect(item?.language).toBe('de');
    expect(item?.fields).toEqual({
      level: 'gold',
      tags: ['x'],
      start: '2024-05-06T07:08:09Z',
      blocks: { b: { href: [{ '@id': '/c' }], date: '2024-05-06T07:08:09' } },
    });
  });
});
