import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginDraft, carryOver, changedFields } from '../../packages/manage/src/form/changes.ts';

const NAMES = ['title', 'text', 'subjects', 'price'];
const aValue = fc.oneof(fc.constant(null), fc.string(), fc.array(fc.string()), fc.integer());
const someValues = fc.record(Object.fromEntries(NAMES.map((name) => [name, aValue])));
const someChanges = fc.dictionary(fc.constantFrom(...NAMES), aValue);

describe('a form whose stored values are loaded again', () => {
  it('keeps what was typed, and takes all else from the site', () => {
    fc.assert(
      fc.property(someValues, someChanges, someValues, (before, typed, after) => {
        const draft = { ...beginDraft(before), values: { ...before, ...typed } };
        const own = changedFields(before, draft.values);
        const next = carryOver(draft, after);
        for (const name of NAMES) expect(next.values[name]).toEqual((own.includes(name) ? draft.values : after)[name]);
        expect([next.stored, next.base]).toEqual([after, after]);
      }),
    );
  });

  it('names the fields that were changed on both sides, until both have the same', () => {
    fc.assert(
      fc.property(someValues, someChanges, someValues, (before, typed, after) => {
        const draft = { ...beginDraft(before), values: { ...before, ...typed } };
        const next = carryOver(draft, after);
        const both = changedFields(before, draft.values).filter((name) => changedFields(before, after).includes(name));
        expect(next.overtaken).toEqual(both.filter((name) => changedFields(after, next.values).includes(name)));
        // They stay named when the site is loaded a third time.
        expect(carryOver(next, { ...after }).overtaken).toEqual(next.overtaken);
      }),
    );
  });

  it('has nothing of its own where nothing was typed', () => {
    fc.assert(
      fc.property(someValues, someValues, (before, after) => {
        expect(carryOver(beginDraft(before), after)).toEqual(beginDraft(after));
      }),
    );
  });

  it('drops a field that the form no longer has', () => {
    const draft = { ...beginDraft({ title: 'A', gone: 'x' }), values: { title: 'A', gone: 'typed' } };
    expect(carryOver(draft, { title: 'A' })).toEqual(beginDraft({ title: 'A' }));
  });

  it('counts a chosen file as a change until it is stored', () => {
    const file = new File(['x'], 'x.txt');
    const before = { file: null };
    expect(changedFields(before, { file })).toEqual(['file']);
    const settled = { ...beginDraft(before), base: { file }, values: { file } };
    expect(changedFields(settled.base, settled.values)).toEqual([]);
    const stored = { file: { filename: 'x.txt' } };
    expect(carryOver(settled, stored).values).toEqual(stored);
  });
});
