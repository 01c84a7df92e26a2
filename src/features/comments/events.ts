import type { EventDescriptions, journal, Site } from '#core';

/** The text of a comment with its author. `author` is the id of a user; null for visitors. */
export type CommentSaid = { text: string; author: string | null; authorName: string; inReplyTo: string | null };

/** Changes of comments. */
export type CommentEvents = {
  /** Somebody commented on the object `oid`; `comment` is the id of the comment. */
  'comment.created': { oid: number; comment: string; said: CommentSaid; site: Site };
  'comment.changed': { oid: number; comment: string };
  /** Emitted before a comment and all replies to it are removed. Comments that are removed with their object have no event of their own. */
  'comment.removing': { oid: number; comment: string; said: CommentSaid; site: Site };
  'comment.transitioned': {
    oid: number;
    comment: string;
    from: string;
    to: string;
    said: CommentSaid;
    site: Site;
  };
};

/** The steps that the events are recorded as. `comment` is the change of the comment, or its new state. */
type CommentSteps = { commented: { comment: string } };

declare module '#core' {
  interface ContentEvents extends CommentEvents {}
  interface StepData extends CommentSteps {}
  interface RuleDetails {
    /** The comment of the step. */
    comment?: CommentSaid & { id: string };
  }
}

/** The state of comments that everybody sees. */
const PUBLISHED = 'published';

/** Changes of comments that clients name; others are transitions to a state. */
const CHANGES = new Set(['added', 'edited', 'deleted']);

const stepOf = (content: number, comment: string) => [{ action: 'commented' as const, content, data: { comment } }];
const details = ({ comment: id, said }: { comment: string; said: CommentSaid }) => ({ comment: { id, ...said } });
const subject = ({ comment }: { comment: string }): string => `comment:${comment}`;

/** The events of comments. */
export const commentEvents: EventDescriptions<keyof CommentEvents> = {
  'comment.created': {
    record: { steps: ({ oid }) => stepOf(oid, 'added') },
    rules: {
      triggers: ({ said }) =>
        said.inReplyTo === null ? ['onAfterAddComment'] : ['onAfterAddComment', 'onAfterReplyComment'],
      details,
      subject,
    },
    caches: {},
    changes: null,
  },
  'comment.changed': {
    record: { steps: ({ oid }) => stepOf(oid, 'edited') },
    rules: null,
    caches: {},
    changes: null,
  },
  'comment.removing': {
    record: { steps: ({ oid }) => stepOf(oid, 'deleted') },
    rules: { triggers: () => ['onAfterDeleteComment'], details, subject },
    caches: {},
    changes: null,
  },
  'comment.transitioned': {
    record: { steps: ({ oid, to }) => stepOf(oid, to) },
    rules: { triggers: ({ to }) => (to === PUBLISHED ? ['onAfterPublishComment'] : []), details, subject },
    caches: {},
    changes: null,
  },
};

/** The kinds of steps of comments. */
export const commentSteps: journal.StepDescriptions<keyof CommentSteps> = {
  commented: {
    text: ({ comment }) => `Comment ${comment}`,
    entry: ({ comment }) =>
      CHANGES.has(comment)
        ? { action: `comment.${comment}`, data: {} }
        : { action: 'comment.transitioned', data: { to: comment } },
    final: (path) => `A comment on ${path} cannot be undone.`,
  },
};
