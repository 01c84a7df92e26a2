import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertText, type TextContext } from '../../../packages/markdown-reader/src/text.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const CONTEXT: TextContext = {
  ...{ link: (url) => url, code: 'html', onHtml: () => {}, onFlattened: () => {} },
  ...{ onShortcode: () => {}, onComment: () => {}, onTooDeep: () => {} },
};

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const line = fc
  .array(fc.tuple(word, fc.constantFrom('', '*', '**', '`', '~~')), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.map(([text, mark]) => `${mark}${text}${mark}`).join(' '));
const lists = fc
  .array(fc.tuple(fc.constantFrom('', '  ', '    '), fc.constantFrom('-', '1.'), line), { minLength: 1, maxLength: 5 })
  .map((items) => items.map(([indent, mark, text]) => `${indent}${mark} ${text}`).join('\n'));
const block = fc.oneof(
  line,
  line.map((text) => `## ${text}`),
  line.map((text) => `> ${text}\n> ${text}`),
  line.map((text) => `\`\`\`\n${text}\n\`\`\``),
  line.map((text) => `| ${text} | b |\n|---|---|\n| ${text} | d |`),
  line.map((text) => `<div class="x"><details>${text}</details></div>`),
  lists,
);

/** The words of a document, without marks and markup. */
const wordsIn = (text: string): string[] => text.replace(/<[^>]*>/g, ' ').match(/[a-z]{3,8}/g) ?? [];

describe('the conversion of Markdown', () => {
  it('No word of any text is lost.', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (blocks) => {
        const text = blocks.join('\n\n');
        const written = JSON.stringify(convertText(text, CONTEXT));
        for (const one of wordsIn(text)) expect(written).toContain(one);
      }),
      { numRuns: propertyRuns(60, 3000) },
    );
  });

  it('Any text is converted, and the same text to the same blocks.', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: fc.constantFrom(...'ab <>*_-`[]()!#|\n&;:"=/\\') }), (text) => {
        expect(convertText(text, CONTEXT)).toEqual(convertText(text, CONTEXT));
      }),
      { numRuns: propertyRuns(200, 10_000) },
    );
  });

  it('A text with too many levels is kept as its source, in bounded time.', () => {
    for (const text of [`${'> '.repeat(5000)}deep`, `${'<div>'.repeat(5000)}deep`, `${'- '.repeat(2000)}deep`]) {
      let deep = 0;
      const { blocks } = convertText(text, { ...CONTEXT, onTooDeep: () => (deep += 1) });
      expect(deep).toBe(1);
      expect(JSON.stringify(blocks)).toContain('deep');
    }
  });
});
