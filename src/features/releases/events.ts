import type { EventDescriptions, RequestContext, Transaction } from '#core';

export type ReleaseChange =
  | 'created'
  | 'edited'
  | 'removed'
  | 'shared'
  | 'unshared'
  | 'scheduled'
  | 'unscheduled'
  | 'failed'
  | 'published'
  | 'undone';

/** The events of releases. */
export type ReleaseEvents = {
  /** `change` is a participle such as `created`; `title` is that of the release. */
  'release.changed': { id: string; change: ReleaseChange; title: string };
};

declare module '#core' {
  interface ContentEvents extends ReleaseEvents {}
}

/** The events of releases. What their parts do has its own: content rules follow on that. */
export const releaseEvents: EventDescriptions<keyof ReleaseEvents> = {
  'release.changed': {
    record: {
      entry: ({ id, change, title }) => ({
        action: `release.${change}`,
        content: null,
        path: '/',
        name: id,
        data: { title },
      }),
    },
    rules: null,
    caches: null,
    changes: null,
  },
};

/** Emits the event of a change of a release. */
export const emitChange = (
  { kernel, caller }: Pick<RequestContext, 'kernel' | 'caller'>,
  tx: Transaction,
  { id, title }: { id: string; title: string },
  change: ReleaseChange,
): Promise<void> => kernel.events.emit('release.changed', { id, change, title }, { tx, caller });
