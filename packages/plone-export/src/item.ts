import path from 'node:path';
import {
  type ExportedItem,
  isEmptyValue,
  type JsonObject,
  parentPathOf,
  parseDate,
  stringOf,
  stringOrNull,
  stringsOf,
} from '@canopy-server/site-reader';
import { type ItemContext, parseFields } from './item-fields.ts';
import { parseWorkflowHistory } from './item-history.ts';
import type { IndexEntry } from './item-index.ts';
import { OWN_PROPERTY, reportLeftKeys } from './item-keys.ts';
import { parseVersions } from './item-versions.ts';
import { parseEffective, parseExpires, tokenOf } from './json-values.ts';
import { lookUp, parseConstrains } from './side-data.ts';

/** Builds the item of an exported object (plone.restapi's JSON with the additions of both formats). */
export async function buildItem(entry: IndexEntry, raw: JsonObject, context: ItemContext): Promise<ExportedItem> {
  const { side, problems } = context;
  // Side data use the UID of the export, even if the item gets another UID.
  const uid = stringOrNull(raw.UID);
  const reviewState = stringOrNull(raw.review_state);
  const creators = stringsOf(raw.creators);
  const localRoles = lookUp(side.localRoles, uid, entry.path);
  const { fields, files, terms } = await parseFields(entry.path, raw, context);
  reportLeftKeys(raw, entry.path, problems);
  const name = path.posix.basename(entry.path);
  if (typeof raw.id === 'string' && raw.id !== name && entry.path !== '/')
    problems.add({
      reason: 'renamed',
      path: entry.path,
      key: 'id',
      message: `Its id is ${raw.id.slice(0, 100)} in the export; that of its address counts.`,
    });
  const date = (name: string, parse: (value: unknown) => Date | null = parseDate) => {
    if (!isEmptyValue(raw[name]) && parseDate(raw[name]) === null)
      problems.add({ reason: 'value', path: entry.path, key: name, message: `The date ${name} cannot be read.` });
    return parse(raw[name]);
  };
  return {
    uid: entry.uid,
    path: entry.path,
    type: stringOrNull(raw['@type']) ?? '',
    id: entry.path === '/' ? (stringOrNull(raw.id) ?? '') : name,
    parentPath: parentPathOf(entry.path),
    position: lookUp(side.positions, uid, entry.path) ?? null,
    fields,
    given: OWN_PROPERTY.filter((name) => Object.hasOwn(raw, name)),
    terms,
    created: date('created'),
    modified: date('modified'),
    effective: date('effective', parseEffective),
    expires: date('expires', parseExpires),
    reviewState,
    workflowHistory: parseWorkflowHistory(raw.workflow_history, reviewState, entry.path, problems),
    owner: ownerOf(localRoles?.roles) ?? creators[0] ?? null,
    creators,
    language: parseLanguage(raw.language),
    layout: stringOrNull(raw.layout),
    isFolderish: raw.is_folderish === true,
    localRoles: localRoles?.roles ?? {},
    blockLocalRoles: localRoles?.isBlocked ?? false,
    localPermissions: lookUp(side.localPermissions, uid, entry.path) ?? {},
    files,
    constrains: parseConstrains(raw['exportimport.constrains']) ?? lookUp(side.constrains, uid, entry.path) ?? null,
    defaultPage: lookUp(side.defaultPages, uid, entry.path) ?? null,
    typeTitle: stringOrNull(raw.type_title),
    versions: await parseVersions(entry.path, raw, context),
    change: { note: stringOf(raw.changeNote), actor: stringOrNull(raw.changeActor) },
  };
}

function ownerOf(roles: Record<string, string[]> | undefined): string | null {
  const owner = Object.entries(roles ?? {}).find(([, names]) => names.includes('Owner'));
  return owner?.[0] ?? null;
}

/** The language; null when it is empty or Plone's placeholder for none. */
function parseLanguage(value: unknown): string | null {
  const language = stringOrNull(tokenOf(value) ?? value);
  return language === '##DEFAULT##' ? null : language;
}
