import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadRequest } from '../../src/lib/errors.ts';
import { sanitizeHtml } from '../../src/lib/text/sanitize-html.ts';

describe('sanitizeHtml', () => {
  test.each([
    '<div>This stays</div>',
    '<p>Lorem <strong>ipsum</strong> dolor</p>',
    '<h2 id="a">A</h2><ul><li>1</li></ul><table><tbody><tr><td colspan="2">x</td></tr></tbody></table>',
    '<figure><img src="../resolveuid/abc/@@images/image" alt="" /><figcaption>c</figcaption></figure>',
    '<details open><summary>s</summary>t</details>',
    '<a href="mailto:a@example.org">m</a><a href="tel:+49">t</a><a href="/page#x">p</a>',
    '<p style="text-align:center">c</p>',
    '<iframe src="https://www.youtube.com/embed/x" allowfullscreen></iframe>',
  ])('the cleaning of HTML keeps %s', (html) => {
    expect(sanitizeHtml(html)).toBe(html);
  });

  test.each([
    ['<script>nasty()</script>a', 'a'],
    ['<p onclick="nasty()">b</p>', '<p>b</p>'],
    ['<img src="x" onerror="nasty()">', '<img src="x" />'],
    ['<a href="javascript:nasty()">a</a>', '<a>a</a>'],
    ['<a href=" java\tscript:nasty()">a</a>', '<a>a</a>'],
    ['<img src="data:image/svg+xml,nasty">', '<img />'],
    ['<p style="position:fixed;background:url(//nasty)">c</p>', '<p>c</p>'],
    ['<svg onload="nasty()"><circle/></svg>d', 'd'],
    ['<style>nasty{}</style><form action="/x"><input>e</form>', 'e'],
    ['<iframe src="https://nasty.example.org/embed"></iframe>f', 'f'],
    ['<iframe src="http://www.youtube.com/embed/x"></iframe>g', 'g'],
    ['<iframe srcdoc="nasty"></iframe>h', 'h'],
  ])('the cleaning of HTML turns %s into what is allowed', (html, clean) => {
    expect(sanitizeHtml(html)).toBe(clean);
  });

  test('cleaning clean HTML again changes nothing', () => {
    const part = fc.constantFrom(
      '<p>',
      '</p>',
      '<b ',
      'a="',
      '">',
      "'",
      '&',
      '&lt;',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '<svg>',
      'x',
      ' ',
      '<td>',
      '<iframe>',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const clean = sanitizeHtml(parts.join(''));
        expect(sanitizeHtml(clean)).toBe(clean);
      }),
      { examples: [[['<td>', '<svg>', '<td>']]] },
    );
  });

  test('deeply nested HTML elements are rejected quickly', () => {
    expect(() => sanitizeHtml('<b>'.repeat(200_000) + '</i>'.repeat(200_000))).toThrow(BadRequest);
    expect(sanitizeHtml('<p>'.repeat(2000))).toBe('<p></p>'.repeat(2000));
  });
});
