/** The changes that somebody is writing into a form. They stay when the stored values are loaded again. */

import { useState } from 'react';
import { beginDraft, carryOver, changedFields } from './changes.ts';
import type { Values } from './schema.ts';

export type Draft = {
  values: Values;
  base: Values;
  /** The names of the fields that have other values than the stored ones. */
  changed: readonly string[];
  overtaken: readonly string[];
  change(values: Values): void;
  /** Gives up all changes. */
  discard(): void;
  /** These values have been stored: what differs from them are new changes. */
  settle(sent: Values): void;
};

/** Holds the values of a form. `stored` has to be the same object until it was loaded again. */
export function useDraft(stored: Values): Draft {
  const [kept, setState] = useState(() => beginDraft(stored));
  const state = kept.stored === stored ? kept : carryOver(kept, stored);
  // In the render itself: no frame shows the old values beside the new ones.
  if (state !== kept) setState(state);
  const { base, values, overtaken } = state;
  return {
    ...{ values, base, overtaken },
    changed: changedFields(base, values),
    change: (next) => setState((old) => ({ ...old, values: next })),
    discard: () => setState((old) => beginDraft(old.stored)),
    settle: (sent) => setState((old) => ({ ...old, base: sent, overtaken: [] })),
  };
}
