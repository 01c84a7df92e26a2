import type { audit, journal } from '#core';

const entryOf = <A extends journal.StepAction>(kinds: journal.StepKinds, { action, data }: journal.StepOf<A>) =>
  kinds.of(action).entry(data);

/** The entry of a step in the audit log. */
export function auditEntryOf(kinds: journal.StepKinds, step: journal.Step): audit.Entry {
  const { content, path, agent } = step;
  const entry = entryOf(kinds, step);
  return {
    content,
    ...(path === undefined ? {} : { path }),
    ...entry,
    data: {
      ...entry.data,
      ...(agent && { by: `${agent.kind} ${agent.id}` }),
      ...(agent?.approvedBy === undefined ? {} : { approved_by: agent.approvedBy }),
    },
  };
}

/** The entry of an undo of transactions. */
export const undoEntry = (ids: readonly number[]): audit.Entry => ({
  action: 'transactions.undone',
  content: null,
  path: '/',
  name: ids.join(' '),
  data: {},
});

/** The entry for the number of further actions of a transaction, which are not stored. */
export const moreEntry = (count: number): audit.Entry => ({
  action: 'transaction.more',
  content: null,
  path: '/',
  data: { count },
});
