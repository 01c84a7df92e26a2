import { describe, expect, test } from 'vitest';
import { BadRequest } from '../../src/lib/errors.ts';
import { BASE, block, resolve } from './site.ts';
import { collectLinks, linkedUids, storeBlocks } from './with-core-blocks.ts';

const store = (value: unknown) => {
  const stored = storeBlocks(block(value), resolve);
  return (stored as { one: Record<string, unknown> }).one;
};
const PAGE = '../resolveuid/page-1';

describe('storing blocks', () => {
  test('links under url, href and preview_image become references, as text and in lists', () => {
    expect(
      store({
        '@type': 'x',
        url: `${BASE}/page`,
        href: ['/page#a', 'https://plone.org'],
        preview_image: [{ '@id': '/page', title: 'T' }],
      }),
    ).toEqual({
      '@type': 'x',
      url: PAGE,
      href: [`${PAGE}#a`, 'https://plone.org'],
      preview_image: [{ '@id': PAGE, title: 'T' }],
    });
  });

  test('an @id under any key and the value of a URL object become references', () => {
    expect(
      store({ linkHref: [{ '@id': '/page' }], smart: { '@type': 'URL', value: `${BASE}/page`, '@id': 'no-link' } }),
    ).toEqual({
      linkHref: [{ '@id': PAGE }],
      smart: { '@type': 'URL', value: PAGE, '@id': 'no-link' },
    });
  });

  test('links of slate, slate tables and DraftJS become references', () => {
    const link = (url: string) => ({ type: 'link', data: { url }, children: [{ text: 'x' }] });
    const a = (id: string) => ({
      type: 'a',
      data: { link: { internal: { internal_link: [{ '@id': id }] } } },
      children: [],
    });
    expect(store({ '@type': 'slate', value: [{ children: [link('/page'), a('/page')] }] })).toEqual({
      '@type': 'slate',
      value: [{ children: [link(PAGE), a(PAGE)] }],
    });
    const table = (url: string) => ({ '@type': 'slateTable', table: { rows: [{ cells: [{ value: [link(url)] }] }] } });
    expect(store(table('/page'))).toEqual(table(PAGE));
    const draft = (url: string) => ({
      '@type': 'text',
      text: { blocks: [], entityMap: { 0: { type: 'LINK', data: { url } } } },
    });
    expect(store(draft('/page#a'))).toEqual(draft(`${PAGE}#a`));
  });

  test('sub-blocks in blocks, data.blocks and plate nodes are stored in the same way', () => {
    const nest = (url: string, html: string) => ({
      blocks: { a: { '@type': 'x', url } },
      data: { blocks: { b: { '@type': 'tabs', blocks: { c: { '@type': 'html', html } } } } },
      plate: 1,
    });
    expect(store(nest('/page', '<b onclick="x">y</b>'))).toEqual(nest(PAGE, '<b>y</b>'));
    const plate = (url: string, html: string) => ({
      '@type': '__somersault__',
      value: [{ type: 'p', children: [{ '@type': 'html', html, children: [{ '@type': 'image', url }] }] }],
    });
    expect(store(plate('/page', '<i onclick="x">y</i>'))).toEqual(plate(PAGE, '<i>y</i>'));
  });

  test('image_scales are removed next to a reference, also one in its stored form, and kept elsewhere', () => {
    const image_scales = { image: [] };
    expect(store({ url: '/page', image_scales })).toEqual({ url: PAGE });
    expect(store({ url: '../resolveuid/gone', image_scales })).toEqual({ url: '../resolveuid/gone' });
    expect(store({ href: [{ '@id': '/page', image_scales, title: 'T' }] })).toEqual({
      href: [{ '@id': PAGE, title: 'T' }],
    });
    expect(store({ url: 'https://plone.org/a.png', image_scales })).toEqual({
      url: 'https://plone.org/a.png',
      image_scales,
    });
  });

  test('blocks without references are returned as they are, and the input is never altered', () => {
    const plain = block({
      '@type': 'x',
      url: 'https://plone.org',
      '@id': '0b5e',
      list: [1, [null, { deep: 'ä' }]],
      other: '/page',
    });
    expect(storeBlocks(plain, resolve)).toBe(plain);
    const linked = block({ url: '/page', blocks: { a: { href: ['/page'] } } });
    const before = structuredClone(linked);
    storeBlocks(linked, resolve);
    expect(linked).toEqual(before);
  });

  test('the HTML of html blocks is sanitized, and only text counts as HTML', () => {
    expect(store({ '@type': 'html', html: '<p onclick="x">b</p>' })).toEqual({ '@type': 'html', html: '<p>b</p>' });
    expect(store({ '@type': 'html', html: null })).toEqual({ '@type': 'html', html: null });
    expect(() => store({ '@type': 'html', html: ['<script>x</script>'] })).toThrow(BadRequest);
  });

  test('all candidate links are collected at once, inner ones too', () => {
    const links = collectLinks(
      block({ url: '/a', blocks: { i: { href: [{ '@id': '/b' }, '/c'] } }, text: '/d', html: '<a href="/e">' }),
    );
    expect([...links].sort()).toEqual(['/a', '/b', '/c']);
  });

  test('linkedUids names what stored blocks refer to and nothing that is only mentioned', () => {
    expect([
      ...linkedUids(
        block({ url: `${PAGE}#a`, note: '../resolveuid/other', blocks: { i: { href: ['../resolveuid/b'] } } }),
      ),
    ]).toEqual(['b', 'page-1']);
  });
});
