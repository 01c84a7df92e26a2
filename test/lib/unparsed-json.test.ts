import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonBytes, noteFrozen } from '../../src/lib/frozen-json.ts';
import { addUnparsed, UnparsedJson, unparsedMember } from '../../src/lib/unparsed-json.ts';

const jsonText = (body: unknown): string => jsonBytes(body).toString();

/** An object whose members in `unparsed` are not parsed, as they come from the database. */
function withUnparsed(object: object, unparsed: Record<string, unknown>): Record<string, unknown> {
  const made: Record<string, unknown> = { ...object };
  for (const [name, value] of Object.entries(unparsed))
    addUnparsed(made, name, new UnparsedJson(JSON.stringify(value, null, 1)));
  return made;
}

describe('JSON that is not parsed', () => {
  test('a body with unparsed members has the JSON of the same body without them', () => {
    fc.assert(
      fc.property(
        fc.record({ blocks: fc.jsonValue(), layout: fc.jsonValue() }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.boolean(),
        (unparsed, others, isKept) => {
          const kept = { words: ['of', 'a', 'kept', 'row'] };
          if (isKept) noteFrozen(kept);
          Object.freeze(kept);
          const plain = { ...others, ...unparsed };
          const body = (item: object) => ({
            first: 1,
            kept,
            items: [item, { kept }, item],
            deep: { in: [item] },
            item,
          });
          const text = jsonText(body(withUnparsed(others, unparsed)));
          expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(body(plain))));
          expect(JSON.parse(jsonText(withUnparsed(others, unparsed)))).toEqual(JSON.parse(JSON.stringify(plain)));
        },
      ),
    );
  });

  test('the text of the database is in the body as it is, once for each place', () => {
    const member = new UnparsedJson('{"a": 1,  "b": "$& $1"}');
    const one: Record<string, unknown> = { id: 'one' };
    addUnparsed(one, 'blocks', member);
    expect(jsonText({ items: [one, one] })).toBe(
      '{"items":[{"id":"one","blocks":{"a": 1,  "b": "$& $1"}},{"id":"one","blocks":{"a": 1,  "b": "$& $1"}}]}',
    );
  });

  test('a member is like any other member for those who read, copy, change and compare the object', () => {
    const object = withUnparsed({ title: 'T' }, { blocks: { a: [1] } });
    expect(Object.keys(object)).toEqual(['title', 'blocks']);
    expect({ ...object }).toEqual({ title: 'T', blocks: { a: [1] } });
    expect(structuredClone(object)).toEqual({ title: 'T', blocks: { a: [1] } });
    expect(JSON.stringify(object)).toBe('{"title":"T","blocks":{"a":[1]}}');
    expect(isDeepStrictEqual(object, { title: 'T', blocks: { a: [1] } })).toBe(true);
    expect(object.blocks).toBe(object.blocks);
    object.blocks = 'changed';
    expect(object).toEqual({ title: 'T', blocks: 'changed' });
    expect(unparsedMember(object, 'blocks')).toBeUndefined();
    expect(jsonText(object)).toBe('{"title":"T","blocks":"changed"}');
  });

  test('a value that requests share is prepared before the first of them gets it', () => {
    const early = new UnparsedJson('{"a": {"b": 1}}');
    const late = new UnparsedJson('{"a": {"b": 1}}');
    expect(late.value).toEqual({ a: { b: 1 } });
    for (const unparsed of [early, late]) {
      expect(unparsed.share((value) => Object.freeze(value))).toBeGreaterThan(unparsed.text.length);
      expect(Object.isFrozen(unparsed.value)).toBe(true);
    }
  });
});
