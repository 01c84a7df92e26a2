import { describe, expect, test } from 'vitest';
import { collectUids } from '../../src/core/content/blocks/resolve-uid.ts';
import { BASE, block, SCALES, targets } from './site.ts';
import { serveBlocks } from './with-core-blocks.ts';

const serve = (value: unknown) => {
  const served = serveBlocks(block(value), targets);
  return (served as { one: Record<string, unknown> }).one;
};
const ref = (uid: string) => `../resolveuid/${uid}`;

describe('serving blocks', () => {
  test('a reference in a block shows the present address and its suffix', () => {
    expect(
      serve({ url: `${ref('page-1')}#a`, href: ['../../resolveUid/page-1/@@download/file', { '@id': ref('page-1') }] }),
    ).toEqual({
      url: `${BASE}/page#a`,
      href: [`${BASE}/page/@@download/file`, { '@id': `${BASE}/page` }],
    });
  });

  test('a link to a file leads to its primary address unless it has a suffix', () => {
    expect(serve({ url: ref('file-1'), href: `${ref('file-1')}#a` })).toEqual({
      url: `${BASE}/report/@@download/file`,
      href: `${BASE}/report#a`,
    });
  });

  test('unknown UIDs and text that merely mentions one stay as stored', () => {
    const value = { url: ref('gone'), text: ref('page-1'), href: [{ '@id': ref('gone'), title: 'T' }] };
    expect(serve(value)).toEqual(value);
  });

  test('image_scales and image_field appear next to a reference to a picture, and not in links of text', () => {
    const pictures = { image_field: 'image', image_scales: SCALES };
    expect(serve({ '@type': 'image', url: ref('picture-1') })).toEqual({
      '@type': 'image',
      url: `${BASE}/picture`,
      ...pictures,
    });
    expect(serve({ href: [{ '@id': ref('picture-1') }] })).toEqual({
      href: [{ '@id': `${BASE}/picture`, ...pictures }],
    });
    expect(serve({ '@type': 'slate', value: [{ type: 'link', data: { url: ref('picture-1') } }] })).toEqual({
      '@type': 'slate',
      value: [{ type: 'link', data: { url: `${BASE}/picture` } }],
    });
  });

  test('a chosen image_field stays while the target has that picture', () => {
    const served = (image_field: string) => serve({ url: ref('picture-1'), image_field });
    expect(served('image')).toMatchObject({ image_field: 'image' });
    expect(served('preview')).toMatchObject({ image_field: 'image' });
  });

  test('blocks reveal neither the address nor copied values of a target that the caller may not view', () => {
    const value = {
      url: `/vault/resolveuid/secret-1#a`,
      linkHref: [{ '@id': ref('secret-1'), title: 'Hidden title', Title: 'Hidden title', own: 1 }],
      blocks: { a: { '@type': 'slate', value: [{ type: 'link', data: { url: ref('secret-1') } }] } },
    };
    expect(serve(value)).toEqual({
      url: `${ref('secret-1')}#a`,
      linkHref: [{ '@id': ref('secret-1'), own: 1 }],
      blocks: { a: { '@type': 'slate', value: [{ type: 'link', data: { url: ref('secret-1') } }] } },
    });
  });

  test('collectUids finds references in blocks, in other fields and in html', () => {
    const uids = collectUids({
      blocks: { a: { url: ref('one'), list: [[`${ref('two-en')}/@@images/image`]] } },
      text: { data: '<a href="../resolveuid/three#x">a</a><img src="../../resolveUid/four/@@images/image">' },
      number: 1,
      nothing: null,
    });
    expect([...uids].sort()).toEqual(['four', 'one', 'three', 'two-en']);
  });
});

describe('teasers', () => {
  const teaser = (uid: string, more: object) => ({ '@type': 'teaser', href: [{ '@id': ref(uid) }], ...more });
  const stale = { title: 'stale', description: 'stale', head_title: 'stale' };

  test('a teaser with overwrite false shows the texts and the summary of its target', () => {
    expect(serve(teaser('picture-1', { overwrite: false, ...stale }))).toEqual({
      '@type': 'teaser',
      overwrite: false,
      title: 'Title of picture-1',
      description: '',
      href: [targets('picture-1')?.summary],
    });
  });

  test('the href of a teaser may be a text, and its address keeps the suffix', () => {
    const href = `${ref('page-1')}#part`;
    expect(serve({ '@type': 'teaser', href, overwrite: false })).toMatchObject({
      title: 'Title of page-1',
      href: [{ '@id': `${BASE}/page#part`, '@type': 'Page' }],
    });
  });

  test('a teaser with overwrite true keeps its own texts and gets the summary', () => {
    expect(serve(teaser('page-1', { overwrite: true, title: 'Own' }))).toMatchObject({
      title: 'Own',
      href: [{ '@id': `${BASE}/page`, title: 'Title of page-1' }],
    });
  });

  test.each(['secret-1', 'gone'])('a teaser whose target is %s has an empty href and no copied text', (uid) => {
    expect(serve(teaser(uid, { overwrite: false, ...stale }))).toEqual({
      '@type': 'teaser',
      href: [],
      overwrite: false,
    });
    expect(serve(teaser(uid, { overwrite: true, title: 'Own' }))).toEqual({
      '@type': 'teaser',
      href: [],
      overwrite: true,
      title: 'Own',
    });
  });

  test('a teaser without the key overwrite keeps its texts and gets overwrite true', () => {
    const served = serve({
      '@type': 'teaser',
      title: 'Own',
      href: [{ '@id': ref('secret-1'), title: 'Hidden title' }],
    });
    expect(served).toEqual({ '@type': 'teaser', title: 'Own', overwrite: true, href: [{ '@id': ref('secret-1') }] });
  });

  test('an address outside the site and a teaser without a target stay as they are', () => {
    for (const href of [[{ '@id': 'https://plone.org' }], [], '']) {
      const value = { '@type': 'teaser', href, overwrite: false, title: 'Own' };
      expect(serve(value)).toEqual(value);
    }
  });

  test('a teaser in a grid is served in the same way', () => {
    const served = serve({ '@type': 'gridBlock', blocks: { a: teaser('page-1', { overwrite: false }) } });
    expect(served).toMatchObject({ blocks: { a: { title: 'Title of page-1', href: [{ '@type': 'Page' }] } } });
  });
});
