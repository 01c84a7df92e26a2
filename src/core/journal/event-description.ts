import type { AuditEntry } from './audit-entry.ts';
import type { ChangeNote } from './change-note.ts';
import type { ContentEvents, EventName } from './events.ts';
import type { Step } from './steps.ts';

/**
 * All consequences of an event beside its subscribers: the transactions that can be undone, the audit log, content rules, caches outside, the feed of
 * changes and webhooks read this description. A missing part is an error of the compiler.
 */
export type EventDescription<N extends EventName> = {
  record: EventRecord<ContentEvents[N]>;
  /** Content rules that the event triggers; null for none. */
  rules: RuleMeaning<ContentEvents[N]> | null;
  /** The effect on caches outside; null when the event changes no response. */
  caches: OutsideEffect<ContentEvents[N]> | null;
  /** The changes of content for the feed of changes and for webhooks; null for an event that changes none. */
  changes: ((event: ContentEvents[N]) => readonly ChangeNote[]) | null;
};

/** The descriptions of events. */
export type EventDescriptions<N extends EventName> = { [Name in N]: EventDescription<Name> };

/** The record of an event: steps of the transaction, each with its entry in the audit log; only an entry; or nothing, for a reason. */
type EventRecord<E> =
  | { steps(event: E): readonly Step[] }
  | { entry(event: E): AuditEntry & { actor?: string } }
  | { nothing: string };

/** The triggers that content rules can have. The feature of the rules adds them, with their titles. */
// biome-ignore lint/suspicious/noEmptyInterface: it has the members that are merged into it.
export interface RuleTriggers {}

/** Details of an event for conditions and actions of rules. Features add the subjects of their events. */
export interface RuleDetails {
  /** The content is being removed, so changes of it come too late. */
  removing?: true;
}

/** The meaning of an event for content rules. Rules run for the content of the event, or for the site root. */
type RuleMeaning<E> = {
  triggers(event: E): readonly (keyof RuleTriggers)[];
  details?(event: E): RuleDetails;
  /** The subject, if it is not the content. */
  subject?(event: E): string;
};

/** The effect of an event on caches outside. */
type OutsideEffect<E> = {
  /** Content at and below `now` has changed, and content at and below `before` has left that place. */
  leaves?(event: E): { now: string; before: string };
};
