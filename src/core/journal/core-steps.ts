import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../lib/json-object.ts';
import { auditNames } from './audit-entry.ts';
import type { Sharing } from './events.ts';
import { type CoreSteps, namesInText, type StepDescriptions } from './steps.ts';

/** The action of a removal in the audit log, whose entry has the former path. */
export const REMOVED = 'content.removed';

/** Maximum number of characters of an id in a description. */
const MAX_ID_LENGTH = 200;

/** A change of something else than content, such as `Group editors edited: roles`. */
function textOfSite({ part, id, change, names = [] }: CoreSteps['site']): string {
  const subject = `${part.charAt(0).toUpperCase()}${part.slice(1)} ${id.slice(0, MAX_ID_LENGTH)}`.trimEnd();
  return names.length > 0 ? `${subject} ${change}: ${namesInText(names)}` : `${subject} ${change}`;
}

/** The principals whose local roles differ, each with its present roles. */
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

/** The kinds of steps that the core records. */
export const coreSteps: StepDescriptions<keyof CoreSteps> = {
  created: {
    text: () => 'Created',
    entry: () => ({ action: 'content.created', data: {} }),
  },
  copied: {
    text: ({ source }) => `Copied from ${source}`,
    entry: ({ source }) => ({ action: 'content.copied', data: { from: source } }),
  },
  restored: {
    text: () => 'Restored from the recycle bin',
    entry: ({ source }) => ({ action: 'content.restored', data: { from: source } }),
  },
  deleted: {
    text: () => 'Deleted',
    entry: ({ recyclable }) => ({ action: REMOVED, data: { recyclable } }),
    final: (path) => `${path} is no longer in the recycle bin.`,
  },
  checkedIn: {
    text: ({ into }) => `Checked in into ${into}`,
    entry: ({ into }) => ({ action: REMOVED, data: { recyclable: false, into } }),
    final: (path) => `${path} was checked in without a change.`,
  },
  edited: {
    text: ({ fields }) => (fields.length > 0 ? `Edited: ${namesInText(fields)}` : 'Saved as a version'),
    entry: ({ fields }) => ({ action: 'content.edited', data: { names: auditNames(fields) } }),
    final: (path) => `${path} has no versions.`,
  },
  moved: {
    text: ({ source }) => `Moved from ${source}`,
    entry: ({ source, before, after }) => ({
      action: before.parent === after.parent ? 'content.renamed' : 'content.moved',
      data: { from: source },
    }),
  },
  workflow: {
    text: ({ transition, from, to }) => `Workflow: ${transition}, from ${from} to ${to}`,
    entry: ({ transition, from, to, dates }) => ({
      action: 'content.transitioned',
      data: { transition, from, to, names: Object.keys(dates) },
    }),
  },
  shared: {
    text: () => 'Sharing changed',
    entry: (change) => ({ action: 'content.shared', data: sharingData(change) }),
  },
  ordered: {
    text: () => 'Order of the content changed',
    entry: () => ({ action: 'content.ordered', data: {} }),
    final: (path) => `Too many objects in ${path} got another place at once.`,
  },
  translated: {
    text: ({ after }) => (after === null ? 'No longer a translation' : 'Linked as a translation'),
    entry: ({ after }) => ({ action: after === null ? 'content.untranslated' : 'content.translated', data: {} }),
  },
  aliased: {
    text: ({ change, names }) => `Aliases ${change}: ${namesInText(names)}`,
    entry: ({ change, names }) => ({ action: `aliases.${change}`, name: '', data: { names } }),
    final: () => 'Too many addresses have changed at once.',
  },
  settings: {
    text: ({ panels }) => `Settings changed: ${namesInText(panels)}`,
    entry: ({ panels, names }) => ({
      action: 'settings.changed',
      name: panels.join(' '),
      data: { names: auditNames(names) },
    }),
    final: () => 'Settings cannot be undone here: change them in their control panel.',
  },
  site: {
    text: textOfSite,
    entry: ({ part, id, change, names, added, removed, hidden }) => ({
      action: `${part}.${change}`,
      name: id,
      data: {
        ...(names ? { names: auditNames(names) } : {}),
        ...(added?.length ? { added: auditNames(added) } : {}),
        ...(removed?.length ? { removed: auditNames(removed) } : {}),
        ...(hidden?.length ? { hidden: auditNames(hidden) } : {}),
      },
    }),
    final: () => 'Changes of users, groups and the set-up of the site cannot be undone here.',
  },
};
