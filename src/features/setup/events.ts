import type { EventDescriptions, workflowHistory } from '#core';

/** The events of the set-up. */
export type SetupEvents = {
  /** Before all content of some types is brought to other states, because its workflow changes. */
  'states.moving': { moves: readonly workflowHistory.StateMove[] };
};

declare module '#core' {
  interface ContentEvents extends SetupEvents {}
}

/** The events of the set-up that have more than their names. */
export const setupEvents: EventDescriptions<keyof SetupEvents> = {
  'states.moving': {
    record: { nothing: 'the change of the workflow, in the same transaction, is recorded' },
    rules: null,
    caches: null,
    changes: null,
  },
};
