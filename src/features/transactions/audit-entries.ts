import type { AuditEntry, Step, StepAction, StepKinds, StepOf } from '#core';

const entryOf = <A extends StepAction>(kinds: StepKinds, { action, data }: StepOf<A>) => kinds.of(action).entry(data);

/** The entry of a step in the audit log. */
export function auditEntryOf(kinds: StepKinds, step: Step): AuditEntry {
  const { content, path, agent } = step;
  const entry = entryOf(kinds, step);
  return {
    content,
    ...(path === undefined ? {} : { path }),
    ...entry,
    data: { ...entry.data, ...(agent && { by: `${agent.kind} ${agent.id}` }) },
  };
}

/** The entry of transactions that were undone. */
export const undoEntry = (ids: readonly number[]): AuditEntry => ({
  action: 'transactions.undone',
  content: null,
  path: '/',
  name: ids.join(' '),
  data: {},
});

/** The entry of what a transaction has done beyond what is kept of one. */
export const moreEntry = (count: number): AuditEntry => ({
  action: 'transaction.more',
  content: null,
  path: '/',
  data: { count },
});
