import { describe, expect, it } from 'vitest';
import { cleanHtml } from '../../src/lib/text/clean-html.ts';
import { MAX_HTML_LENGTH, sanitizeHtml } from '../../src/lib/text/sanitize-html.ts';
import { binOf } from '../recyclebin/recyclebin-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { whileMeasured } from '../support/standstill.ts';
import { useTestSite } from '../support/use-site.ts';

const HOSTILE: Record<string, string> = {
  braces: '<p style="{{{{{{{{">',
  'unclosed comments': '<!--',
  'open tags': '<p>',
  'less-than signs': '< ',
  entities: '&lt;&amp;',
  'nested tags': `${'<b>'.repeat(200)}x${'</b>'.repeat(200)}`,
  scripts: '<script>alert(1)</script><b onclick="x">y</b>',
};
const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const attributes = (count: number): string =>
  `<p ${Array.from({ length: count }, (_, i) => `aria-a${i}="${i}"`).join(' ')}>x</p>`;

describe('cleaning of long HTML', () => {
  it('HTML that is cleaned in a thread is what it would be here, with the same problems', async () => {
    const texts = [
      ...Object.values(HOSTILE).map((piece) => filled(piece, 30_000)),
      attributes(2000),
      '<i>'.repeat(300),
    ];
    const cleaned = await cleanHtml(texts);
    expect(texts.map((text) => cleaned.get(text))).toEqual(
      texts.map((text) => {
        try {
          return { html: sanitizeHtml(text) };
        } catch (error) {
          return { problem: error instanceof Error ? error.message : '' };
        }
      }),
    );
    expect(cleaned.get('<i>'.repeat(300))).toHaveProperty('problem');
  });
});

describeEachEngine('content with much HTML', (engine) => {
  const site = useTestSite(engine);
  const { add, read } = binOf(() => site);
  const save = (path: string, json: Json) => site.request('PATCH', path, { json });

  it('long HTML of an editor is cleaned as short HTML is, and others are served meanwhile', async () => {
    const news = await add('/', 'News Item');
    const page = await add('/', 'Page');
    const text = filled(HOSTILE.braces ?? '', 400_000);
    const blocks = { a: { '@type': 'html', html: text } };
    const { result, worst } = await whileMeasured(async () => [
      await save(news.path, { text }),
      await save(page.path, { blocks, blocks_layout: { items: ['a'] } }),
    ]);
    expect(result.map(({ status }) => status)).toEqual([204, 204]);
    // It takes half a second of a free processor for each.
    expect(worst).toBeLessThan(1000);
    const clean = sanitizeHtml(text);
    expect((await read(news.path)).text.data).toBe(clean);
    expect((await read(page.path)).blocks.a.html).toBe(clean);
  });

  it('more HTML than any page has is rejected at its field, and what is stored can be saved again', async () => {
    const news = await add('/', 'News Item', { text: '<p>before</p>' });
    const long = filled('<p>word</p>', MAX_HTML_LENGTH + 1);
    const inText = await save(news.path, { text: { data: long, 'content-type': 'text/html' } });
    expect(inText.status).toBe(400);
    expect(JSON.parse(inText.body.message)).toMatchObject([
      { field: 'text', message: expect.stringContaining('1000000 characters of HTML') },
    ]);
    const half = (word: string) => ({ '@type': 'html', html: filled(`<p>${word}</p>`, MAX_HTML_LENGTH / 2 + 10) });
    const inBlocks = await save(news.path, { blocks: { a: half('one'), b: half('two') } });
    expect(inBlocks.status).toBe(400);
    expect(JSON.parse(inBlocks.body.message)).toMatchObject([{ field: 'blocks' }]);
    // Each sign gets five times as long when it is cleaned.
    expect((await save(news.path, { text: filled('&', MAX_HTML_LENGTH / 2) })).status).toBe(400);
    expect((await read(news.path)).text.data).toBe('<p>before</p>');
    expect((await save(news.path, { text: { data: long, 'content-type': 'text/plain' } })).status).toBe(204);
  });
});
