import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { ExportFolder } from '../export-folder.ts';
import type { ImportFile, ImportItem } from '../import-source.ts';
import { cleanFields } from './clean-fields.ts';
import { type IndexEntry, parentPathOf } from './item-index.ts';
import { stringOrNull, stringsOf, tokenOf } from './json-values.ts';
import type { ProblemLog } from './problem-log.ts';
import { readDate, readEffective, readExpires } from './read-date.ts';
import { isFileValue, readFile } from './read-files.ts';
import { readWorkflowHistory } from './read-workflow-history.ts';
import { lookUp, readConstrains, type SideData } from './side-data.ts';
import type { SiteAddress } from './site-address.ts';

/** Fields of Plone's schemas that have a property of their own in the model. */
const OWN_PROPERTY = ['effective', 'expires', 'creators', 'language', 'changeNote'];

/** What Plone's serializer adds to the fields: addresses, state, listings, marks of working copies and versions. */
const NOT_CONTENT = new Set([
  ...OWN_PROPERTY,
  ...['UID', 'id', 'parent', 'items', 'items_total', 'batching', 'lock', 'is_folderish', 'layout', 'type_title'],
  ...['created', 'modified', 'review_state', 'workflow_history', 'working_copy', 'working_copy_of'],
  ...['previous_item', 'next_item', 'image_field', 'image_scales', 'targetUrl'],
]);

export type ItemContext = { folder: ExportFolder; site: SiteAddress; side: SideData; problems: ProblemLog };

/** Makes the neutral item of an exported object (plone.restapi's JSON, with the additions of both formats). */
export async function buildItem(entry: IndexEntry, raw: JsonObject, context: ItemContext): Promise<ImportItem> {
  const { side, problems } = context;
  // Side data know the object by the UID of the export, also where the item gets another one.
  const uid = stringOrNull(raw.UID);
  const reviewState = stringOrNull(raw.review_state);
  const creators = stringsOf(raw.creators);
  const localRoles = lookUp(side.localRoles, uid, entry.path);
  const { fields, files } = await readFields(entry.path, raw, context);
  const versions = raw['exportimport.versions'];
  if (isJsonObject(versions) && Object.keys(versions).length > 0)
    problems.add({ path: entry.path, message: 'Its older versions are not imported.' });
  return {
    uid: entry.uid,
    path: entry.path,
    type: stringOrNull(raw['@type']) ?? '',
    id: entry.path === '/' ? (stringOrNull(raw.id) ?? '') : path.posix.basename(entry.path),
    parentPath: parentPathOf(entry.path),
    position: lookUp(side.positions, uid, entry.path) ?? null,
    fields,
    given: OWN_PROPERTY.filter((name) => Object.hasOwn(raw, name)),
    created: readDate(raw.created),
    modified: readDate(raw.modified),
    effective: readEffective(raw.effective),
    expires: readExpires(raw.expires),
    reviewState,
    workflowHistory: readWorkflowHistory(raw.workflow_history, reviewState, entry.path, problems),
    owner: ownerOf(localRoles?.roles) ?? creators[0] ?? null,
    creators,
    language: readLanguage(raw.language),
    layout: stringOrNull(raw.layout),
    isFolderish: raw.is_folderish === true,
    localRoles: localRoles?.roles ?? {},
    blockLocalRoles: localRoles?.isBlocked ?? false,
    localPermissions: lookUp(side.localPermissions, uid, entry.path) ?? {},
    files,
    constrains: readConstrains(raw['exportimport.constrains']) ?? lookUp(side.constrains, uid, entry.path) ?? null,
    defaultPage: lookUp(side.defaultPages, uid, entry.path) ?? null,
    typeTitle: stringOrNull(raw.type_title),
  };
}

async function readFields(
  contentPath: string,
  raw: JsonObject,
  { folder, site, problems }: ItemContext,
): Promise<{ fields: Record<string, unknown>; files: ImportFile[] }> {
  const content: [string, unknown][] = [];
  const files: ImportFile[] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (!isContentField(name, value)) continue;
    if (isFileValue(value)) files.push(await readFile(name, value, contentPath, folder, problems));
    else content.push([name, value]);
  }
  const fields = cleanFields(content, site, (message) => problems.add({ path: contentPath, message }));
  return { fields, files };
}

function isContentField(name: string, value: unknown): boolean {
  if (name.startsWith('@') || name.startsWith('exportimport.') || NOT_CONTENT.has(name)) return false;
  // Plone's serializer says `current` for every object that is not an old version; a field could say anything.
  return !(name === 'version' && value === 'current');
}

function ownerOf(roles: Record<string, string[]> | undefined): string | null {
  const owner = Object.entries(roles ?? {}).find(([, names]) => names.includes('Owner'));
  return owner?.[0] ?? null;
}

/** Plone stores the empty language of an object without one as is, and exports write its place holder. */
function readLanguage(value: unknown): string | null {
  const language = stringOrNull(tokenOf(value) ?? value);
  return language === '##DEFAULT##' ? null : language;
}
