import { describe, expect, it } from 'vitest';
import { attempt, into, parseFields, parseSent } from '../../src/core/types/field-input.ts';
import { FieldError, type FieldKind, NestedFieldError, NO_REFERENCES } from '../../src/core/types/field-kind.ts';
import type { FieldProblem } from '../../src/lib/errors.ts';

const kind: FieldKind = {
  factories: [{ name: 'Line', property: { type: 'string' } }],
  missing: '',
  deserialize(value) {
    if (typeof value !== 'string') throw new FieldError('Must be a text.');
    return value.trim();
  },
};
const field = { name: 'a', title: 'A', factory: 'Line', type: 'string', required: false };
const context = { ...NO_REFERENCES, current: undefined, absent: () => 'absent' };

describe('values that a client sent', () => {
  it('are stored in the form of their kind, emptied by null, and absent where nothing was sent', () => {
    expect(parseSent(kind, field, ' text ', context)).toBe('text');
    expect(parseSent(kind, field, null, context)).toBe('');
    expect(parseSent(kind, field, undefined, context)).toBe('absent');
  });

  it('must not be empty in a required field, whichever way they became so', () => {
    const required = { ...field, required: true };
    for (const sent of [null, ' ', undefined])
      expect(() => parseSent(kind, required, sent, { ...context, absent: () => null })).toThrow(
        'Required input is missing.',
      );
    expect(parseSent(kind, required, 'text', context)).toBe('text');
  });

  it('are parsed with every problem, each with its place, and without those that are undefined', () => {
    const inner = new NestedFieldError([{ field: '0.phone', message: 'Must be a text.' }]);
    const parsers: Record<string, () => unknown> = {
      good: () => 1,
      left: () => undefined,
      wrong: () => parseSent(kind, field, 5, context),
      rows: () => {
        throw inner;
      },
    };
    const fields = Object.keys(parsers).map((name) => ({ name }));
    expect(parseFields(fields, ({ name }) => parsers[name]?.())).toEqual({
      values: { good: 1 },
      problems: [
        { field: 'wrong', message: 'Must be a text.' },
        { field: 'rows.0.phone', message: 'Must be a text.' },
      ],
    });
  });

  it('do not hide a fault of the program', () => {
    const problems: FieldProblem[] = [];
    const fault = () => {
      throw new TypeError('a fault');
    };
    expect(() => attempt('a', fault, into(problems))).toThrow(TypeError);
    expect(problems).toEqual([]);
  });
});
