import { describe, expect, test } from 'vitest';
import { internalPath } from '../../src/core/content/blocks/internal-path.ts';

const BASES = ['https://example.org/site', 'http://localhost:8080/'];

describe('internalPath', () => {
  test.each([
    ['https://example.org/site/a/b', '/a/b', ''],
    ['http://localhost:8080/a', '/a', ''],
    ['https://example.org/site', '/', ''],
    ['https://example.org/site?x=1', '/', '?x=1'],
    ['/a/b/', '/a/b', ''],
    ['/', '/', ''],
    ['/a/b#part', '/a/b', '#part'],
    ['/a/@@download/file#top', '/a', '/@@download/file#top'],
    ['/a/@@images/image/preview', '/a', '/@@images/image/preview'],
    ['/a?b=/@@c', '/a', '?b=/@@c'],
    ['/++api++/a', '/a', ''],
    ['/gr%C3%BC%C3%9Fe', '/grüße', ''],
  ])('%s is the path %s with the suffix "%s"', (link, path, suffix) => {
    expect(internalPath(link, BASES)).toEqual({ path, suffix });
  });

  test('references by UID are recognised in every form', () => {
    for (const prefix of ['', '../', '../../', 'https://old.example.org/x/', '/x/']) {
      expect(internalPath(`${prefix}resolveuid/781a-en/@@images/image`, BASES)).toEqual({
        uid: '781a-en',
        suffix: '/@@images/image',
      });
    }
    expect(internalPath('../resolveUid/abc', BASES)).toEqual({ uid: 'abc', suffix: '' });
  });

  test.each([
    '',
    'https://example.org/site-two/a',
    'https://example.org/',
    'https://example.org.evil.org/site/a',
    '//evil.org/a',
    'mailto:a@example.org',
    'page',
    '#part',
    '9b2d8d4e-4c7a-4f52-9c43-1d3c6f2f9a10',
    '/a%',
    '/a%2Fb',
    '/a%00',
    `/${'a'.repeat(5000)}`,
  ])('the link %j is not internal', (link) => {
    expect(internalPath(link, BASES)).toBeUndefined();
  });
});
