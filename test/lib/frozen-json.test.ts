import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFrozenWhole, jsonBytes, noteFrozen } from '../../src/lib/frozen-json.ts';

const jsonText = (body: unknown): string => jsonBytes(body).toString();

/** Freezes a value with all that it holds. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) freeze(inner);
  Object.freeze(value);
}

/** Notes some of the objects and arrays in a value as frozen, by turns. */
function noteSome(value: unknown, turn: { count: number }): void {
  if (typeof value !== 'object' || value === null) return;
  turn.count += 1;
  if (turn.count % 3 === 0) noteFrozen(value);
  for (const inner of Object.values(value)) noteSome(inner, turn);
}

test('a text with kept parts is the text without them, byte by byte', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(2), (value, begin) => {
      const body = {
        before: undefined,
        items: [value, { value, blocks: value }, value],
        value,
        after: undefined,
        last: 1,
      };
      const plain = JSON.stringify(body);
      noteSome(value, { count: begin });
      freeze(value);
      expect(jsonText(body)).toBe(plain);
      // Now of the texts that were kept.
      expect(jsonText(body)).toBe(plain);
      expect(jsonText({ value: [value] })).toBe(JSON.stringify({ value: [value] }));
    }),
  );
});

test('only what was noted counts as frozen', () => {
  const value = { blocks: {} };
  expect(isFrozenWhole(value)).toBe(false);
  noteFrozen(value);
  expect(isFrozenWhole(value)).toBe(true);
  expect(isFrozenWhole('text')).toBe(false);
});

test('keys of a client that name a prototype stay keys', () => {
  const blocks = JSON.parse('{"__proto__": {"a": 1}, "b": 2}');
  noteFrozen(blocks);
  freeze(blocks);
  const body = JSON.parse('{"__proto__": {"c": 1}, "d": 2}');
  expect(jsonText({ ...body, blocks })).toBe(JSON.stringify({ ...body, blocks }));
  expect(jsonText(Object.fromEntries([...Object.entries(body), ['blocks', blocks]]))).toBe(
    '{"__proto__":{"c":1},"d":2,"blocks":{"__proto__":{"a":1},"b":2}}',
  );
});

test('a member of a client with the name of the method that writes a value stays a member', () => {
  const text = '{"toJSON":{"a":1},"b":2}';
  const blocks = JSON.parse(text);
  noteFrozen(blocks);
  freeze(blocks);
  expect(jsonText({ blocks, deep: [{ blocks }] })).toBe(`{"blocks":${text},"deep":[{"blocks":${text}}]}`);
});

test('a noted value looks as before, and is copied without its text', () => {
  const value = { words: ['of', 'a', 'row'] };
  noteFrozen(value);
  freeze(value);
  expect(value).toStrictEqual({ words: ['of', 'a', 'row'] });
  expect(Object.keys(value)).toEqual(['words']);
  expect(jsonText({ first: value, second: { ...value, more: 1 } })).toBe(
    '{"first":{"words":["of","a","row"]},"second":{"words":["of","a","row"],"more":1}}',
  );
});
