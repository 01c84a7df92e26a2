import type { EventDescriptions, journal, Site } from '#core';

/** Changes of accounts. */
export type UserEvents = {
  'user.created': { id: string; site: Site };
  /** Emitted before the account is removed. */
  'user.removing': { id: string; site: Site };
};

/** The steps that the events are recorded as. */
type UserSteps = { user: { id: string; change: 'created' | 'removed' } };

declare module '#core' {
  interface ContentEvents extends UserEvents {}
  interface StepData extends UserSteps {}
  interface RuleDetails {
    /** Id of the user of the entry; absent when the user is the actor. */
    user?: string;
  }
}

const stepOf = (id: string, change: 'created' | 'removed') => [
  { action: 'user' as const, content: null, path: '/', data: { id, change } },
];
const details = ({ id }: { id: string }) => ({ user: id });
const subject = ({ id }: { id: string }): string => `user:${id}`;

/** The events of accounts. */
export const userEvents: EventDescriptions<keyof UserEvents> = {
  'user.created': {
    record: { steps: ({ id }) => stepOf(id, 'created') },
    rules: { triggers: () => ['onAfterCreateUser'], details, subject },
    caches: {},
    changes: null,
  },
  'user.removing': {
    record: { steps: ({ id }) => stepOf(id, 'removed') },
    rules: { triggers: () => ['onAfterDeleteUser'], details, subject },
    caches: {},
    // Local roles of the user are removed as well.
    changes: () => ['anything'],
  },
};

/** The kinds of steps of accounts. */
export const userSteps: journal.StepDescriptions<keyof UserSteps> = {
  user: {
    text: ({ id, change }) => `User ${id} ${change}`,
    entry: ({ id, change }) => ({ action: `user.${change}`, name: id, data: {} }),
    final: () => 'Changes of users cannot be undone.',
  },
};
