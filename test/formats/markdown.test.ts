import { describe, expect, test } from 'vitest';
import { coreBlocks } from '../../src/core/content/blocks/core-blocks.ts';
import { inlineText, paragraph } from '../../src/core/content/blocks/markdown.ts';
import { type Block, BlockRegistry, defineBlock } from '../../src/core/types/block.ts';
import { renderMarkdown as render } from '../../src/features/exports/markdown.ts';

const SITE = 'http://localhost:8080';
const resolveUrl = (url: string): string | undefined => {
  if (url.includes('secret')) return undefined;
  return url.startsWith('/') ? SITE + url : url;
};

const core = new BlockRegistry(coreBlocks);
const renderMarkdown = (document: Omit<Parameters<typeof render>[0], 'registry'>, registry = core): string =>
  render({ ...document, registry });

/** A page with these blocks in this order. */
const page = (...blocks: unknown[]): string => pageWith([], ...blocks);

function pageWith(more: Block[], ...blocks: unknown[]): string {
  const ids = blocks.map((_, index) => `b${index}`);
  const registry = new BlockRegistry([...coreBlocks, ...more]);
  return render({
    registry,
    title: 'My *page*',
    description: 'In short',
    blocks: Object.fromEntries(ids.map((id, index) => [id, blocks[index]])),
    blocks_layout: { items: ids },
    resolveUrl,
  }).trimEnd();
}

const t = (text: string) => ({ text });
const el = (type: string, ...children: unknown[]) => ({
  type,
  children: children.map((child) => (typeof child === 'string' ? t(child) : child)),
});
const a = (url: string, ...children: unknown[]) => ({ ...el('link', ...children), data: { url } });
const slate = (...value: unknown[]) => page({ '@type': 'slate', value });
const html = (source: string) => page({ '@type': 'html', html: source });

test('the Markdown of a page has its blocks in the order of the layout', () => {
  expect(
    page(
      { '@type': 'title' },
      { '@type': 'description' },
      { '@type': 'slate', value: [el('h2', 'Demo')] },
      {
        '@type': 'slate',
        value: [
          el(
            'p',
            'See ',
            a('https://voltocms.com', 'Volto'),
            ', it is ',
            el('strong', 'good'),
            ' and ',
            el('em', 'fine'),
            '.',
          ),
        ],
      },
    ),
  ).toBe('# My \\*page\\*\n\nIn short\n\n## Demo\n\nSee [Volto](https://voltocms.com), it is **good** and *fine*.');
});

test('the Markdown of content without blocks has its title and its description', () => {
  expect(renderMarkdown({ title: 'A', description: 'B', resolveUrl })).toBe('# A\n\nB\n');
  expect(renderMarkdown({ title: 'A', blocks: {}, blocks_layout: { items: [] }, resolveUrl })).toBe('');
});

test('Markdown leaves out blocks that the layout does not name, and has those that it names twice once', () => {
  const blocks = { a: { '@type': 'title' }, b: { '@type': 'description' } };
  const blocks_layout = { items: ['b', 'b', 'gone', 'constructor', 7] };
  expect(renderMarkdown({ title: 'A', description: 'B', blocks, blocks_layout, resolveUrl })).toBe('B\n');
});

describe('slate', () => {
  test('slate elements become Markdown', () => {
    expect(slate(el('p', el('del', 'a'), ' ', el('code', 'x = `y`'), ' ', 'H', el('sub', '2'), 'O'))).toBe(
      '~~a~~ `` x = `y` `` H<sub>2</sub>O',
    );
    expect(slate(el('blockquote', 'One\nTwo'))).toBe('> One\\\n> Two');
    expect(slate(el('pre', 'a\n```\nb'))).toBe('````\na\n```\nb\n````');
    expect(slate(el('h3', 'C#'))).toBe('### C\\#');
    expect(slate(el('p', 'before'), el('unknown', 'text'))).toBe('before\n\ntext');
  });

  test('nested slate lists become Markdown, within the item and beside it', () => {
    const within = el('ul', el('li', 'a', el('ol', el('li', 'b'), el('li', 'c'))), el('li', 'd'));
    const beside = el('ul', el('li', 'a'), el('ol', el('li', 'b'), el('li', 'c')), el('li', 'd'));
    for (const list of [within, beside]) expect(slate(list)).toBe('- a\n  1. b\n  2. c\n- d');
  });

  test('slate tables become Markdown', () => {
    expect(
      slate(el('table', el('tbody', el('tr', el('th', 'A')), el('tr', el('td', el('p', 'x'), el('p', 'y|z')))))),
    ).toBe('| A |\n| --- |\n| x<br>y\\|z |');
  });

  test('spaces stay outside of Markdown marks, and neighbours with the same mark are joined', () => {
    expect(slate(el('p', 'a', el('strong', ' b '), 'c'))).toBe('a **b** c');
    expect(slate(el('p', el('strong', 'a'), t(''), el('strong', 'b')))).toBe('**ab**');
    expect(slate(el('p', el('em', ' ')))).toBe('');
  });

  test.each([
    ['*a* _b_ `c` [d](e) <f> ~g~ \\', '\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f> \\~g\\~ \\\\'],
    ['snake_case & co &amp;', 'snake_case & co \\&amp;'],
    ['# no heading', '\\# no heading'],
    ['1. no list', '1\\. no list'],
    ['12.5 is no list', '12.5 is no list'],
    ['- no list\n+ none\n> none', '\\- no list\\\n\\+ none\\\n\\> none'],
    ['a\n===', 'a\\\n\\==='],
    ['a | b\n:-|-', 'a | b\\\n\\:-|-'],
    ['    no code', 'no code'],
  ])('the text %j does not become Markdown markup', (text, markdown) => {
    expect(slate(el('p', text))).toBe(markdown);
  });

  test('an exclamation mark before a link makes no image', () => {
    expect(slate(el('p', 'Look!', a('/x', 'here')))).toBe(`Look\\![here](${SITE}/x)`);
  });

  test.each(['javascript:alert(1)', ' JaVa\tScript:alert(1)', 'data:text/html,x', 'vbscript:x', '/secret', ''])(
    'no Markdown link leads to %j',
    (url) => {
      expect(slate(el('p', a(url, 'text')))).toBe('text');
    },
  );

  test('an address in Markdown cannot end its link', () => {
    expect(slate(el('p', a('https://x.org/a b)(<c>', 'text')))).toBe('[text](https://x.org/a%20b%29%28%3Cc%3E)');
  });
});

describe('blocks', () => {
  test('an image block becomes a Markdown image', () => {
    expect(page({ '@type': 'image', url: 'https://x.org/a.png', alt: 'An [a]' })).toBe(
      '![An \\[a\\]](https://x.org/a.png)',
    );
    expect(page({ '@type': 'image', url: '/dot.png', href: [{ '@id': '/there' }] })).toBe(
      `[![](${SITE}/dot.png/@@images/image)](${SITE}/there)`,
    );
    expect(page({ '@type': 'image', url: `${SITE}/dot.png`, image_scales: {}, image_field: 'preview_image' })).toBe(
      `![](${SITE}/dot.png/@@images/preview_image)`,
    );
    expect(page({ '@type': 'image', url: '/secret.png', alt: 'Hush' })).toBe('');
    expect(page({ '@type': 'image' })).toBe('');
  });

  test('table and slateTable blocks become Markdown tables', () => {
    const row = (type: string, ...values: unknown[]) => ({ cells: values.map((value) => ({ type, value })) });
    expect(
      page({
        '@type': 'slateTable',
        table: { rows: [row('header', [el('p', 'A')], [el('p', 'B')]), row('data', [el('p', '1|2')])] },
      }),
    ).toBe('| A | B |\n| --- | --- |\n| 1\\|2 |');
    expect(
      page({ '@type': 'table', table: { rows: [row('data', { blocks: [{ text: 'a*' }, { text: 'b' }] })] } }),
    ).toBe('|  |\n| --- |\n| a\\*<br>b |');
    expect(page({ '@type': 'table', table: { rows: 'none' } })).toBe('');
  });

  test('a teaser block becomes Markdown', () => {
    const href = [{ '@id': `${SITE}/news`, title: 'News', description: 'All *of* it' }];
    expect(page({ '@type': 'teaser', href })).toBe(`[News](${SITE}/news)\n\nAll \\*of\\* it`);
    expect(page({ '@type': 'teaser', href, title: 'Mine' })).toBe(`[Mine](${SITE}/news)\n\nAll \\*of\\* it`);
    expect(page({ '@type': 'teaser', href: [{ '@id': '/secret', title: 'Hush' }], title: 'Hush' })).toBe('');
    expect(page({ '@type': 'teaser' })).toBe('');
  });

  test('an html block becomes Markdown', () => {
    expect(
      html(
        '<h2>A</h2><p>b <strong>c</strong> <a href="/d">e</a><script>f()</script><a href="javascript:g()">h</a></p><ul><li>i</li></ul>',
      ),
    ).toBe(`## A\n\nb **c** [e](${SITE}/d)h\n\n-   i`);
    expect(html('<p><del>a</del> x<sub>2</sub> <img src="/secret.png" alt="b"><a href="/secret">c</a></p>')).toBe(
      '~~a~~ x<sub>2</sub> c',
    );
    expect(html('<p onclick="x()">1 &lt; 2 *y*</p>')).toBe('1 \\< 2 \\*y\\*');
    expect(html('&lt;img src=x onerror=f()&gt; &amp;lt;')).toBe('\\<img src=x onerror=f()> \\&lt;');
  });

  test('blocks nested below blocks and below data become Markdown', () => {
    const inner = (text: string) => ({
      blocks: { x: { '@type': 'slate', value: [el('p', text)] } },
      blocks_layout: { items: ['x'] },
    });
    expect(page({ '@type': 'gridBlock', ...inner('a') })).toBe('a');
    expect(page({ '@type': 'columns', data: { blocks: { c: inner('b') }, blocks_layout: { items: ['c'] } } })).toBe(
      'b',
    );
    expect(
      page({
        '@type': 'accordion',
        data: {
          blocks: { p: { '@type': 'accordionPanel', title: 'Panel', ...inner('c') } },
          blocks_layout: { items: ['p'] },
        },
      }),
    ).toBe('### Panel\n\nc');
  });

  test('unknown blocks add nothing to Markdown, and those of add-ons what they declare', () => {
    const quote = { '@type': 'test-quote', text: 'To be' };
    expect(page(quote, { '@type': 'title' })).toBe('# My \\*page\\*');
    const known = defineBlock({
      type: 'test-quote',
      markdown: ({ text }) => [{ type: 'blockquote', children: paragraph(inlineText(String(text))) }],
    });
    expect(pageWith([known], quote, { '@type': 'title' })).toBe('> To be\n\n# My \\*page\\*');
  });

  test('blocks of any shape can be written as Markdown without an error', () => {
    const shapes = [
      null,
      7,
      'x',
      [],
      {},
      { '@type': 7 },
      { '@type': '__proto__' },
      { '@type': 'slate', value: [null, 7, [], { children: 'x' }, { text: 7 }] },
    ];
    const typed = [
      'title',
      'slate',
      'html',
      'image',
      'teaser',
      'table',
      'heading',
      'video',
      'codeBlock',
      'gridBlock',
    ].flatMap((type) =>
      [7, null, {}, [null]].map((value) => ({
        '@type': type,
        value,
        html: value,
        url: value,
        href: value,
        table: value,
        blocks: value,
        code: value,
        heading: value,
        data: value,
      })),
    );
    expect(() => page(...shapes, ...typed)).not.toThrow();
  });
});

describe('work is bounded', () => {
  const timed = (run: () => unknown): number => {
    const started = performance.now();
    run();
    return performance.now() - started;
  };

  test('Markdown of deeply nested blocks is bounded', () => {
    let blocks: Record<string, unknown> = { '@type': 'title' };
    let node: unknown = t('deep');
    let list: unknown = el('li', 'deep');
    for (let depth = 0; depth < 5000; depth += 1) {
      blocks = { '@type': 'gridBlock', blocks: { a: blocks, b: blocks }, blocks_layout: { items: ['a', 'a', 'a'] } };
      node = el('strong', node);
      list = el('ul', el('li', 'x', list));
    }
    expect(
      timed(() => page(blocks, { '@type': 'slate', value: [el('p', node)] }, { '@type': 'slate', value: [list] })),
    ).toBeLessThan(1000);
  });

  test.each([
    ['open elements', '<div>'.repeat(30_000)],
    ['closed nothing', `${'<div>'.repeat(15_000)}${'</x>'.repeat(15_000)}`],
    ['quotations', '<blockquote>'.repeat(200)],
    ['spaces', `<p>a${'&nbsp; '.repeat(20_000)}b</p>`],
    ['newlines', `<pre><code>a${'\n'.repeat(150_000)}b</code></pre>`],
    ['breaks', '<br>'.repeat(40_000)],
    ['open tags', '<'.repeat(190_000)],
    ['megabytes', '<p>x</p>'.repeat(500_000)],
  ])('Markdown of HTML with many %s is bounded', (_, source) => {
    expect(timed(() => html(source))).toBeLessThan(3000);
  });
});
