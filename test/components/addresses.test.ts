import fc from 'fast-check';
import { expect, test } from 'vitest';
import { urlOf } from '../../src/core/serializer/render-context.ts';

const BASE = 'https://example.org/site';
const segment = fc
  .oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('a-b_c.d~1', 'A!', "o'b", 'ü', '%41'),
  )
  .filter((text) => !text.includes('/') && text.isWellFormed());

test('the address of an object has each segment of its path percent-encoded', () => {
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
      expect(urlOf(BASE, `/${segments.join('/')}`)).toBe(`${BASE}/${segments.map(encodeURIComponent).join('/')}`);
    }),
  );
});

test('the address of the site root has no slash at its end', () => {
  expect(urlOf(BASE, '/')).toBe(BASE);
});
