import { isDeepStrictEqual } from 'node:util';
import type { Sharing } from '#core';
import type { JsonObject } from '#lib/json-object';
import { type AuditEntry, auditNames } from '../audit-log/entry.ts';
import type { Step, StepAction } from './steps.ts';

/** The action of what is removed, which had its path before. */
export const REMOVED = 'content.removed';

/** Changes of comments that clients name; others are transitions to a state. */
const COMMENT_CHANGES = new Set(['added', 'edited', 'deleted']);

/** The principals whose local roles differ, each with those that it has now. */
function sharingData({ before, after }: { before: Sharing; after: Sharing }): JsonObject {
  const ids = [...new Set([...Object.keys(before.localRoles), ...Object.keys(after.localRoles)])];
  const rolesIn = ({ localRoles }: Sharing, id: string): string[] =>
    Object.hasOwn(localRoles, id) ? (localRoles[id] ?? []) : [];
  const changed = ids.filter((id) => !isDeepStrictEqual(rolesIn(before, id), rolesIn(after, id)));
  return {
    roles: Object.fromEntries(auditNames(changed).map((id) => [id, rolesIn(after, id)])),
    ...(before.inheritRoles === after.inheritRoles ? {} : { inherit: after.inheritRoles }),
  };
}

/** What the audit log says of each kind of step. */
const ENTRIES: {
  [A in StepAction]: (data: Extract<Step, { action: A }>['data']) => Pick<AuditEntry, 'action' | 'name' | 'data'>;
} = {
  created: () => ({ action: 'content.created', data: {} }),
  copied: ({ source }) => ({ action: 'content.copied', data: { from: source } }),
  restored: ({ source }) => ({ action: 'content.restored', data: { from: source } }),
  deleted: ({ recyclable }) => ({ action: REMOVED, data: { recyclable } }),
  checkedIn: ({ into }) => ({ action: REMOVED, data: { recyclable: false, into } }),
  edited: ({ fields }) => ({ action: 'content.edited', data: { names: auditNames(fields) } }),
  moved: ({ source, before, after }) => ({
    action: before.parent === after.parent ? 'content.renamed' : 'content.moved',
    data: { from: source },
  }),
  workflow: ({ transition, from, to, dates }) => ({
    action: 'content.transitioned',
    data: { transition, from, to, names: Object.keys(dates) },
  }),
  shared: (change) => ({ action: 'content.shared', data: sharingData(change) }),
  ordered: () => ({ action: 'content.ordered', data: {} }),
  translated: ({ after }) => ({ action: after === null ? 'content.untranslated' : 'content.translated', data: {} }),
  commented: ({ comment }) =>
    COMMENT_CHANGES.has(comment)
      ? { action: `comment.${comment}`, data: {} }
      : { action: 'comment.transitioned', data: { to: comment } },
  settings: ({ panels, names }) => ({
    action: 'settings.changed',
    name: panels.join(' '),
    data: { names: auditNames(names) },
  }),
  user: ({ id, change }) => ({ action: `user.${change}`, name: id, data: {} }),
  site: ({ part, id, change, names, added, removed, hidden }) => ({
    action: `${part}.${change}`,
    name: id,
    data: {
      ...(names ? { names: auditNames(names) } : {}),
      ...(added?.length ? { added: auditNames(added) } : {}),
      ...(removed?.length ? { removed: auditNames(removed) } : {}),
      ...(hidden?.length ? { hidden: auditNames(hidden) } : {}),
    },
  }),
};

/** The entry of a step in the audit log. */
export function auditEntryOf({ action, content, path, data, agent }: Step): AuditEntry {
  // Each action has the data of its own kind, which the type of the table cannot follow.
  const describe = ENTRIES[action] as (data: Step['data']) => Pick<AuditEntry, 'action' | 'name' | 'data'>;
  const entry = describe(data);
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
