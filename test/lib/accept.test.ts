import { describe, expect, it } from 'vitest';
import { acceptsByName, isAcceptable, parseAccept } from '../../src/lib/http/accept.ts';

const takes = (accept: string | undefined, type: string): boolean => isAcceptable(parseAccept(accept), type);

describe('the header Accept', () => {
  it.each([
    [undefined, true],
    ['', true],
    ['*/*', true],
    ['text/*', true],
    ['text/markdown', true],
    ['TEXT/Markdown; charset=utf-8', true],
    ['text/markdown;q=0.001', true],
    ['application/json', false],
    ['text/markdown;q=0, */*', false],
    ['text/*;q=0, */*', false],
    ['text/*;q=0, text/markdown', true],
    ['*/*;q=0', false],
    ['text/markdown;q=2', false],
    ['text/markdown;q=high, */*;q=0.1', false],
    ['text/html, image/*', false],
  ])('%s takes Markdown: %s', (accept, taken) => {
    expect(takes(accept, 'text/markdown; charset=utf-8')).toBe(taken);
  });

  it('a wildcard names no type', () => {
    expect(acceptsByName('image/*, */*', 'image/avif')).toBe(false);
    expect(acceptsByName('image/webp, image/AVIF;q=0.5', 'image/avif')).toBe(true);
    expect(acceptsByName('image/avif;q=0', 'image/avif')).toBe(false);
  });

  it('a header of many ranges takes no longer than its first ones', () => {
    expect(parseAccept(`${'a/b,'.repeat(100_000)}text/markdown`)).toHaveLength(50);
  });
});
