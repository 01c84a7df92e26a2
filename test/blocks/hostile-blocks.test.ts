import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serveHtml } from '../../src/core/content/blocks/html-links.ts';
import { internalPath } from '../../src/core/content/blocks/internal-path.ts';
import { collectUids, parseReference } from '../../src/core/content/blocks/resolve-uid.ts';
import { MAX_DEPTH, visitBlocks } from '../../src/core/content/blocks/walk.ts';
import { BadRequest } from '../../src/lib/errors.ts';
import { collectHtmlLinks } from '../../src/lib/text/html-links.ts';
import { BASE, block, resolve, targets } from './site.ts';
import { blocksText, collectLinks, serveBlocks, storeBlocks } from './with-core-blocks.ts';

/** A value inside `levels` of the given wrapper. */
const nest = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};

describe('blocks without references', () => {
  const types = fc.constantFrom(
    'slate',
    'slateTable',
    'text',
    'table',
    'image',
    '__somersault__',
    'gridBlock',
    'unknown',
  );
  const links = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.uuid(),
    fc.constantFrom('/nowhere', '#a', `${BASE}/gone`, '../resolveuid'),
  );
  const { block: anyBlock } = fc.letrec<{ block: unknown }>((tie) => ({
    block: fc.record(
      {
        '@type': types,
        '@id': links,
        url: links,
        href: fc.oneof(fc.array(links), fc.array(fc.record({ '@id': links, title: fc.string() }))),
        value: fc.jsonValue(),
        table: fc.jsonValue(),
        text: fc.jsonValue(),
        image_scales: fc.jsonValue(),
        blocks: fc.oneof(
          { depthSize: 'small' },
          fc.jsonValue(),
          fc.dictionary(fc.uuid(), tie('block'), { maxKeys: 2 }),
        ),
        data: fc.oneof(
          { depthSize: 'small' },
          fc.jsonValue(),
          fc.record({ blocks: fc.dictionary(fc.string(), tie('block'), { maxKeys: 2 }) }),
        ),
      },
      { requiredKeys: [] },
    ),
  }));

  test('blocks without references come back exactly as they were sent', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anyBlock), (blocks) => {
        const sent = JSON.stringify(blocks);
        expect(JSON.stringify(serveBlocks(storeBlocks(blocks, resolve), targets))).toBe(sent);
      }),
    );
  });

  test('any JSON is searched for text and links without failing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (blocks, layout) => {
        expect(typeof blocksText(blocks, layout)).toBe('string');
        expect(collectUids(blocks)).toBeInstanceOf(Set);
        expect(storeBlocks(blocks, resolve)).toEqual(blocks);
      }),
    );
  });

  test('keys named like parts of objects stay plain keys', () => {
    const blocks: unknown = JSON.parse(
      `{"__proto__": {"@type": "constructor", "url": "${BASE}/page", "__proto__": {"a": 1}}}`,
    );
    const stored = storeBlocks(blocks, resolve);
    expect(JSON.stringify(stored)).toBe(
      '{"__proto__":{"@type":"constructor","url":"../resolveuid/page-1","__proto__":{"a":1}}}',
    );
  });
});

describe('hostile input', () => {
  test.each<[string, (levels: number) => unknown]>([
    ['blocks in blocks', (levels) => nest(levels, (inner) => ({ blocks: { a: inner } }))],
    ['blocks in data', (levels) => nest(levels, (inner) => ({ data: { blocks: { a: inner } } }))],
    ['lists in a block', (levels) => ({ value: nest(levels, (inner) => [inner]) })],
    ['objects in a slate block', (levels) => ({ '@type': 'slate', value: nest(levels, (inner) => ({ a: inner })) })],
  ])('%s beyond the limit are rejected, and up to it they pass', (_, build) => {
    const allowed = block(build(MAX_DEPTH - 1));
    expect(serveBlocks(storeBlocks(allowed, resolve), targets)).toBe(allowed);
    for (const levels of [MAX_DEPTH + 2, 20_000]) {
      expect(() => collectLinks(block(build(levels)))).toThrow(BadRequest);
      expect(() => storeBlocks(block(build(levels)), resolve)).toThrow(BadRequest);
    }
  });

  test('plate nodes and text nodes beyond the limit are rejected', () => {
    const nodes = nest(20_000, (inner) => [{ '@type': 'x', children: inner }]);
    const blocks = { one: { '@type': '__somersault__', value: nodes } };
    expect(() => storeBlocks(blocks, resolve)).toThrow(BadRequest);
    expect(() => visitBlocks(blocks, () => {})).toThrow(BadRequest);
    expect(() => blocksText({ one: { '@type': 'slate', value: nodes } }, undefined)).toThrow(BadRequest);
  });

  test.each([
    '<a href="'.repeat(100_000),
    "<a href='".repeat(100_000),
    '<a href='.repeat(100_000),
    '<a '.repeat(300_000),
    `<a${' '.repeat(500_000)}`,
    `<a b=${' '.repeat(500_000)}`,
    `<a ${'/'.repeat(500_000)}`,
    '<!--'.repeat(200_000),
    '<'.repeat(500_000),
    'resolveuid/'.repeat(50_000),
    `../resolveuid/${'a'.repeat(500_000)}`,
    '/resolveuid/a!'.repeat(50_000),
    '../'.repeat(200_000),
    `/${'%41'.repeat(200_000)}`,
  ])('long text is processed in linear time (case %#)', (text) => {
    const start = performance.now();
    collectUids(text);
    parseReference(text);
    internalPath(text, [BASE]);
    collectHtmlLinks(text);
    serveHtml(text, targets);
    collectLinks({ one: { url: text } });
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('a big block inside many others is processed once, not once for each of them', () => {
    const leaf = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, { url: '/page' }]));
    const deep = nest(180, (inner) => ({ blocks: { a: inner === 'x' ? leaf : inner } }));
    const start = performance.now();
    serveBlocks(storeBlocks({ one: deep }, resolve), targets);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
