import { describe, expect, it } from 'vitest';
import { BadRequest, PayloadTooLarge } from '../../src/lib/errors.ts';
import { countValues, parseJson, ValueCounter } from '../../src/lib/schema/bounded-json.ts';

/** The values in a parsed JSON text, counted one by one. */
const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner), 1)
    : 1;

describe('JSON within bounds', () => {
  it.each([
    '{}',
    '[]',
    ' [ 1 , -2.5e3 , true , null , "a" ] ',
    '{"a":{"b":[{},[],{"c":""}]},"d":"x,y:[{"}',
    '{"quote \\" here":"\\\\","next":"\\\\\\"","last":[[[]]]}',
    '"text"',
    '\n{\t"a" :\r\n{ "b" : [ 1 ] } , "ä€😀" : { } }',
  ])('the values of %s are counted as a parser finds them', (text) => {
    const values = valuesIn(JSON.parse(text));
    expect(countValues(text, values)).toBe(values);
    expect(() => countValues(text, values - 1)).toThrow(PayloadTooLarge);
    expect(countValues(text, values + 5, 5)).toBe(values + 5);
    for (const size of [1, 2, 3, 7]) {
      const bytes = Buffer.from(text);
      const counter = new ValueCounter(values);
      for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
      expect(counter.values, `in pieces of ${size}`).toBe(values);
    }
  });

  it('a text of millions of values is rejected in a fraction of the time that parsing it takes', () => {
    const text = `[${'{},'.repeat(5_000_000)}{}]`;
    const began = performance.now();
    expect(() => countValues(text, 250_000)).toThrow('limit of 250000 values');
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('depth and the names of members have bounds; texts have no bound of their own', () => {
    expect(() => countValues(`${'['.repeat(257)}${']'.repeat(257)}`, 1000)).toThrow('deeper than 256 levels');
    expect(countValues(`${'['.repeat(256)}${']'.repeat(256)}`, 1000)).toBe(256);
    expect(() => countValues(`{"${'n'.repeat(2049)}": 1}`, 1000)).toThrow('longer than 2048 bytes');
    expect(countValues(`{"${'n'.repeat(2048)}": "${'t'.repeat(5000)}"}`, 1000)).toBe(2);
  });

  it('a text that is not JSON is a bad request, also where a string or a bracket has no end', () => {
    for (const text of ['', '{', '"', '"\\', '[1', '{"a"', '{"a":}', ']]]', '{]', 'nul', '[1,,2]', '\\"'])
      expect(() => {
        countValues(text, 1000);
        parseJson(text);
      }, text).toThrow(BadRequest);
  });
});
