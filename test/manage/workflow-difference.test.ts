import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  difference,
  freeId,
  type Workflow,
  withoutState,
  withoutTransition,
} from '../../packages/manage/src/setup/workflow.ts';

type Value = string | boolean | string[] | { [key: string]: Value };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes a change as the site does: objects key by key, `null` takes a key away, anything else replaces. */
function changed(value: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const next: Record<string, unknown> = isObject(value) ? { ...value } : {};
  for (const [key, one] of Object.entries(change))
    if (one === null) delete next[key];
    else next[key] = changed(next[key], one);
  return next;
}

const values = fc.letrec<{ value: Value; object: { [key: string]: Value } }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b'),
    fc.boolean(),
    fc.array(fc.constantFrom('x', 'y')),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('one', 'two', 'three', 'four'), tie('value'), { maxKeys: 4 }),
}));

const workflow: Workflow = {
  id: 'w',
  title: 'W',
  description: '',
  initial_state: 'private',
  types: [],
  states: {
    private: { title: 'Private', transitions: ['publish'] },
    published: { title: 'Published', transitions: ['hide', 'publish'] },
  },
  transitions: {
    publish: { title: 'Publish', new_state: 'published' },
    hide: { title: 'Hide', new_state: 'private' },
  },
};

describe('changes of a workflow on the page for those who run a site', () => {
  it('the difference, made to the one, makes the other of it', () => {
    fc.assert(
      fc.property(values.object, values.object, (before, now) => {
        const change = difference(before, now);
        expect(change === undefined ? before : changed(before, change)).toEqual(now);
      }),
    );
  });

  it('a state goes with the transitions that lead to it, and no state offers those', () => {
    const { states, transitions } = withoutState(workflow, 'published');
    expect(Object.keys(states)).toEqual(['private']);
    expect(Object.keys(transitions)).toEqual(['hide']);
    expect(states.private?.transitions).toEqual([]);
    expect(withoutTransition(workflow, 'hide').states.published?.transitions).toEqual(['publish']);
  });

  it('a new name is plain and is not taken', () => {
    expect(freeId('Für die Ämter!', {})).toBe('fur_die_amter');
    expect(freeId('Hide', workflow.transitions)).toBe('hide_2');
    expect(freeId('日本', {})).toBe('new');
  });
});
