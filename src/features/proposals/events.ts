import type { EventDescriptions } from '#core';

/** The events of proposals. */
export type ProposalEvents = {
  /** `change` is a participle such as `created`; `path` is where the first object that it touches was. `creator` is the id of a user. */
  'proposal.changed': { id: string; change: ProposalChange; creator: string; path: string };
};

export type ProposalChange =
  | 'created'
  | 'edited'
  | 'commented'
  | 'approved'
  | 'rejected'
  | 'withdrawn'
  | 'expired'
  | 'link_created'
  | 'link_revoked';

declare module '#core' {
  interface ContentEvents extends ProposalEvents {}
}

/** The events of proposals. What an approval does has its own: content rules follow on that. */
export const proposalEvents: EventDescriptions<keyof ProposalEvents> = {
  'proposal.changed': {
    record: {
      entry: ({ id, change, creator, path }) => ({
        action: `proposal.${change}`,
        content: null,
        path,
        name: id,
        data: { proposed_by: creator },
      }),
    },
    rules: null,
    caches: null,
    changes: null,
  },
};
