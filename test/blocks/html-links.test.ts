import { describe, expect, test } from 'vitest';
import { linkedHtmlUids, serveHtml } from '../../src/core/content/blocks/html-links.ts';
import { collectHtmlLinks, replaceHtmlLinks } from '../../src/lib/text/html-links.ts';
import { BASE, resolve, targets } from './site.ts';

describe('links in rich text', () => {
  test('links in rich text are stored as references and served as present addresses', () => {
    const html = `<p><a class="x" href="${BASE}/page#a">1</a><img alt="a > b" src="/picture/@@images/image"></p>`;
    const stored = replaceHtmlLinks(html, resolve);
    expect(stored).toBe(
      '<p><a class="x" href="../resolveuid/page-1#a">1</a><img alt="a > b" src="../resolveuid/picture-1/@@images/image"></p>',
    );
    expect(serveHtml(stored, targets)).toBe(html.replace('"/picture', `"${BASE}/picture`));
    expect([...linkedHtmlUids(stored)]).toEqual(['page-1', 'picture-1']);
  });

  test('HTML without references is not changed in any character', () => {
    const html = `<P>a &nbsp; <br> b<a href='https://plone.org?a=1&amp;b'>x</A> href="/page" <!-- <a href="/page"> --> 1 < 2 <a href=/nowhere>`;
    expect(replaceHtmlLinks(html, resolve)).toBe(html);
    expect(serveHtml(html, targets)).toBe(html);
  });

  test('quotes, case and entities of HTML are understood and written safely', () => {
    expect(replaceHtmlLinks(`<A HREF='/page?a=1&amp;b="2"'>x</A><a href=/page>y</a>`, resolve)).toBe(
      '<A HREF="../resolveuid/page-1?a=1&amp;b=&quot;2&quot;">x</A><a href="../resolveuid/page-1">y</a>',
    );
  });

  test('rich text does not reveal the address of a target that the caller may not view', () => {
    const served = serveHtml('<a href="/vault/resolveuid/secret-1/@@x">a</a>', targets);
    expect(served).toBe('<a href="../resolveuid/secret-1/@@x">a</a>');
  });

  test('all addresses in rich text are collected', () => {
    expect([...collectHtmlLinks('<a href="/a">x</a><img src="/b?x=1&amp;y=2"><a name="/c">')]).toEqual([
      '/a',
      '/b?x=1&y=2',
    ]);
  });
});
