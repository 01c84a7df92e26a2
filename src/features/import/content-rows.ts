import type { ExportedItem } from '@canopy-server/site-reader';
import {
  access,
  type ContentObject,
  type ContentType,
  callers,
  contentPath,
  type contentRows,
  type FieldKinds,
  fieldValues,
  type indexing,
  nodeFields,
  panelSettings,
  panels,
  type security,
  type TreeNode,
  type workflowHistory,
  workflowOf,
} from '#core';
import type { WrittenVersion } from '../history/statements.ts';
import type { ImportRun } from './import-run.ts';
import type { ItemRelation } from './item-links.ts';
import { usableName } from './planned-object.ts';
import { versionsOf } from './version-rows.ts';
import type { ReadyItem } from './write-batch.ts';

/** Returns the date, or null for one that PostgreSQL cannot store: it has no year 0. */
export const storable = (date: Date | null): Date | null => (date !== null && date.getUTCFullYear() >= 1 ? date : null);

/** Returns the dates of an object as exported; `created` and `modified` are never empty. */
export function datesOf({ created, modified, effective, expires }: ExportedItem, now: Date) {
  const [first, last] = [storable(created), storable(modified)];
  return {
    created: first ?? last ?? now,
    modified: last ?? first ?? now,
    effective: storable(effective),
    expires: storable(expires),
  };
}

/**
 * Returns the exported state if the workflow of the type has it, else the workflow's initial state; null without a
 * workflow.
 */
export function stateOf(
  { site, report }: ImportRun,
  { reviewState, path }: ExportedItem,
  type: ContentType,
): string | null {
  const workflow = workflowOf(site, type.id);
  if (!workflow) {
    if (reviewState !== null)
      report.note({
        reason: 'state',
        path,
        key: 'review_state',
        message: `Content of the type ${type.id} has no workflow here: its state ${reviewState} is left out.`,
      });
    return null;
  }
  if (reviewState !== null && Object.hasOwn(workflow.states, reviewState)) return reviewState;
  const message =
    reviewState === null
      ? `Content of the type ${type.id} comes without a workflow state`
      : `The workflow of the type ${type.id} has no state ${reviewState}`;
  report.note({
    reason: 'state',
    path,
    key: 'review_state',
    message: `${message}: it becomes ${workflow.initial_state}.`,
  });
  return workflow.initial_state;
}

/** Returns the exported workflow history, or the one entry that new content has. */
export function historyOf(
  { site }: ImportRun,
  item: ExportedItem,
  { type, reviewState, owner, at }: { type: ContentType; reviewState: string | null; owner: string; at: Date },
): workflowHistory.Entry[] {
  const entries = item.workflowHistory.filter(({ time }) => storable(time) !== null);
  if (entries.length > 0) {
    return entries.map(({ workflow, action, actor, comments, review_state, time }) => ({
      ...{ workflow, action, actor, comments },
      reviewState: review_state,
      at: time,
    }));
  }
  const workflow = workflowOf(site, type.id);
  if (!workflow || reviewState === null) return [];
  return [{ workflow: workflow.id, action: null, actor: owner, comments: '', reviewState, at }];
}

/**
 * Returns local roles by the site's tokens for users and groups. Without exported ones the owner gets the role Owner.
 */
export function localRolesOf(
  { groups }: ImportRun,
  { localRoles }: ExportedItem,
  owner: string,
): Record<string, string[]> {
  const entries = Object.entries(localRoles).filter(([, roles]) => roles.length > 0);
  if (entries.length === 0) return { [`user:${owner}`]: ['Owner'] };
  const isGroup = (id: string) => id === callers.AUTHENTICATED_USERS || groups.has(id);
  return Object.fromEntries(entries.map(([id, roles]) => [`${isGroup(id) ? 'group' : 'user'}:${id}`, roles]));
}

/** Returns the types that may be added in a container, by their ids on the site. */
export function constrainsOf(
  { typeOf, report }: ImportRun,
  { constrains, path }: ExportedItem,
): ContentObject['constrains'] {
  if (!constrains) return null;
  const named = (names: string[]) =>
    names.flatMap((name) => {
      const type = typeOf(name);
      if (!type)
        report.note({
          reason: 'target',
          path,
          key: 'exportimport.constrains',
          message: `Types that may be added: ${name} is no type of this site and is left out.`,
        });
      return type ? [type.id] : [];
    });
  return {
    locally_allowed: named(constrains.locallyAllowed),
    immediately_addable: named(constrains.immediatelyAddable),
  };
}

/** Reports settings of an object that are stored, but mean nothing on this site. */
export function reportSettings({ site, plan, report }: ImportRun, item: ExportedItem): void {
  const { path, defaultPage, localPermissions, localRoles } = item;
  if (defaultPage !== null && !plan.byPath.has(contentPath.child(path, defaultPage)))
    report.note({
      reason: 'target',
      path,
      key: 'default_page',
      message: `The default page ${defaultPage.slice(0, 100)} is not in the export.`,
    });
  for (const permission of Object.keys(localPermissions)) {
    if (Object.hasOwn(site.roleMap, permission)) continue;
    const message = `This server has no permission ${permission.slice(0, 100)}: who has it is kept without an effect.`;
    report.note({ reason: 'doubtful', path, key: 'local_permissions', message });
  }
  for (const role of new Set(Object.values(localRoles).flat())) {
    if (role === 'Owner' || site.roles.some(({ id }) => id === role)) continue;
    const message = `This site has no role ${role.slice(0, 100)}: who has it is kept without an effect.`;
    report.note({ reason: 'doubtful', path, key: 'local_roles', message });
  }
}

/** Returns the exported view if the type has it, else null. */
export function layoutOf({ report }: ImportRun, { layout, path }: ExportedItem, type: ContentType): string | null {
  if (layout === null || type.layouts.includes(layout)) return layout;
  report.note({
    reason: 'value',
    path,
    key: 'layout',
    message: `The type ${type.id} has no view ${layout}: the default one is used.`,
  });
  return null;
}

/** Returns the exported language, else that of the container or the site if the type has a language. */
function languageOf(
  { site }: ImportRun,
  { language }: Pick<ExportedItem, 'language'>,
  type: ContentType,
  inherited: string | null,
): string | null {
  if (language !== null) return language;
  return type.fieldByName.has('language') ? (inherited ?? panelSettings(site, panels.language).default_language) : null;
}

/** Returns the columns that are taken from an exported object without checks. */
export const settingsOf = ({ blockLocalRoles, localPermissions, defaultPage }: ExportedItem) => ({
  inheritRoles: !blockLocalRoles,
  localPermissions: Object.keys(localPermissions).length > 0 ? localPermissions : null,
  defaultPage: defaultPage === null ? null : usableName(defaultPage),
});

/** Returns field values without those of columns, and with the relations that an export keeps beside its objects. */
export function withRelations(
  kinds: FieldKinds,
  fields: Record<string, unknown>,
  type: ContentType,
  relations: readonly ItemRelation[],
): { fields: Record<string, unknown>; others: ItemRelation[] } {
  const merged = { ...fieldValues.split(fields).fields };
  const others: ItemRelation[] = [];
  for (const { relation, target } of relations) {
    const field = type.fieldByName.get(relation);
    const current = merged[relation];
    const relates = field && kinds.of(field).relates;
    if (!relates) others.push({ relation, target });
    else if (relates === 'many') {
      const list = Array.isArray(current) ? current : [];
      if (!list.includes(target)) merged[relation] = [...list, target];
    } else if (typeof current !== 'string') merged[relation] = target;
  }
  return { fields: merged, others };
}

/** A container with its security chain: from itself up to the root. */
export type Container = { node: TreeNode; chain: readonly security.Node[] };

/** All rows that are written for one new object. */
export type ContentRows = {
  content: contentRows.NumberedContent;
  indexed: indexing.Entry;
  history: workflowHistory.Entry[];
  versions: WrittenVersion[];
  /** The object of the export that the rows are of. */
  item: ExportedItem;
  /** The object as the container of its children. */
  self: Container;
};

/** Owner and language of what has none in the export. */
export type Inherited = { owner: string; language: string | null };

/** Returns the columns of an exported object but for its place, and its relations that no field has. */
export function exportedColumns(
  run: ImportRun,
  { loaded: { planned, item, type, reviewState, layout, constrains }, fields: values }: ReadyItem,
  inherited: Inherited,
) {
  const { uid } = planned.exported;
  const owner = item.owner ?? inherited.owner;
  const { fields, others } = withRelations(run.kernel.fieldKinds, values, type, run.relations.get(uid) ?? []);
  const translation = run.translations.get(uid);
  const language = item.language ?? (translation?.language || null);
  const columns = {
    ...{ type: type.id, reviewState, owner, layout, constrains, fields },
    ...datesOf(item, new Date()),
    ...settingsOf(item),
    language: languageOf(run, { language }, type, inherited.language),
    localRoles: localRolesOf(run, item, owner),
    translationGroup: translation?.group ?? null,
  };
  return { columns, others };
}

/** Returns the rows of a new object in `container`. */
export function rowsOf(
  run: ImportRun,
  ready: ReadyItem,
  { oid, position, container }: { oid: number; position: number; container: Container },
): ContentRows {
  const { loaded, versions, words } = ready;
  const { planned, name, item, type, reviewState } = loaded;
  const { uid, path } = planned;
  const { columns, others } = exportedColumns(run, ready, container.node);
  const { owner, fields, created } = columns;
  const content: contentRows.NumberedContent = {
    ...{ oid, uid, parent: container.node.oid, name, path, position },
    ...columns,
  };
  const node: TreeNode = {
    ...content,
    ...nodeFields(fields),
    inTime: true,
  };
  const chain = [access.node(run.site, node), ...container.chain];
  return {
    content,
    indexed: { object: { ...node, fields }, chain, words, others },
    history: historyOf(run, item, { type, reviewState, owner, at: created }),
    versions: versionsOf(item, versions, { ...content, type }),
    item,
    self: { node, chain },
  };
}
