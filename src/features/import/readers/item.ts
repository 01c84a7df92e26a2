import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { ExportFolder } from '../export-folder.ts';
import type { ProblemLog } from '../import-report.ts';
import type { ImportFile, ImportItem, ImportWorkflowEntry } from '../import-source.ts';
import {
  parseDate,
  parseEffective,
  parseExpires,
  stringOrNull,
  stringsOf,
  textOf,
  tokenOf,
  withZone,
} from '../json-values.ts';
import { hasFileContent, isFileValue, parseFile } from './files.ts';
import { type IndexEntry, parentPathOf } from './item-index.ts';
import { lookUp, parseConstrains, type SideData } from './side-data.ts';
import type { SiteAddress } from './site-address.ts';

/** Fields of Plone's schemas that are separate properties of `ImportItem`. */
const OWN_PROPERTY = ['effective', 'expires', 'creators', 'language', 'changeNote'];

/** Keys that Plone's serializer adds to the fields: addresses, state, listings, working copies, versions. */
const NOT_CONTENT = new Set([
  ...OWN_PROPERTY,
  ...['UID', 'id', 'parent', 'items', 'items_total', 'batching', 'lock', 'is_folderish', 'layout', 'type_title'],
  ...['created', 'modified', 'review_state', 'workflow_history', 'working_copy', 'working_copy_of'],
  ...['previous_item', 'next_item', 'image_field', 'image_scales', 'targetUrl'],
]);

type ItemContext = { folder: ExportFolder; site: SiteAddress; side: SideData; problems: ProblemLog };

/** Builds the item of an exported object (plone.restapi's JSON with the additions of both formats). */
export async function buildItem(entry: IndexEntry, raw: JsonObject, context: ItemContext): Promise<ImportItem> {
  const { side, problems } = context;
  // Side data use the UID of the export, also when the item gets another one.
  const uid = stringOrNull(raw.UID);
  const reviewState = stringOrNull(raw.review_state);
  const creators = stringsOf(raw.creators);
  const localRoles = lookUp(side.localRoles, uid, entry.path);
  const { fields, files } = await parseFields(entry.path, raw, context);
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
    created: parseDate(raw.created),
    modified: parseDate(raw.modified),
    effective: parseEffective(raw.effective),
    expires: parseExpires(raw.expires),
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
  };
}

async function parseFields(
  contentPath: string,
  raw: JsonObject,
  { folder, site, problems }: ItemContext,
): Promise<{ fields: Record<string, unknown>; files: ImportFile[] }> {
  const content: [string, unknown][] = [];
  const files: ImportFile[] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (!isContentField(name, value)) continue;
    if (isFileValue(value)) files.push(await parseFile(name, value, contentPath, folder, problems));
    else content.push([name, value]);
  }
  const fields = cleanFields(content, site, (message) => problems.add({ path: contentPath, message }));
  return { fields, files };
}

function isContentField(name: string, value: unknown): boolean {
  if (name.startsWith('@') || name.startsWith('exportimport.') || NOT_CONTENT.has(name)) return false;
  // Plone's serializer adds `version: current` to every object that is not an old version; any other value is a
  // field's.
  return !(name === 'version' && value === 'current');
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

/**
 * Maximum depth of values: blocks have a dozen levels at most, and very deep values would overflow the stack of
 * recursive functions.
 */
const MAX_DEPTH = 200;

/**
 * Makes field values independent of the exported site: choices become their tokens, dates without a time zone are
 * marked as UTC, links into the old site become paths. Values that are nested too deep are reported and left out.
 */
function cleanFields(
  fields: [name: string, value: unknown][],
  site: SiteAddress,
  report: (message: string) => void,
): Record<string, unknown> {
  const cleaned: [string, unknown][] = [];
  for (const [name, value] of fields) {
    if (isDeeperThan(value, MAX_DEPTH)) {
      report(`Field ${name} is nested deeper than ${MAX_DEPTH} levels and is left out.`);
      continue;
    }
    cleaned.push([name, cleanValue(name, value, site, report)]);
  }
  return Object.fromEntries(cleaned);
}

function cleanValue(name: string, value: unknown, site: SiteAddress, report: (message: string) => void): unknown {
  if (typeof value === 'string') return withZone(site.link(value));
  if (Array.isArray(value) && value.length > 0 && value.every((entry) => tokenOf(entry) !== undefined))
    return value.map(tokenOf);
  const token = tokenOf(value);
  if (token !== undefined) return token;
  return walk(name, value, site, report);
}

function walk(name: string, value: unknown, site: SiteAddress, report: (message: string) => void): unknown {
  if (typeof value === 'string') return site.link(value);
  if (Array.isArray(value)) return value.map((entry) => walk(name, entry, site, report));
  if (!isJsonObject(value)) return value;
  if (hasFileContent(value)) report(`Field ${name} holds a file inside of other values; that file is not imported.`);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, walk(name, entry, site, report)]));
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}

/**
 * Parses the history of the workflow that gives an object its state. An object that went through several workflows has
 * a history of each: the one that ends in `reviewState` is returned, else the last one.
 */
function parseWorkflowHistory(
  value: unknown,
  reviewState: string | null,
  path: string,
  problems: ProblemLog,
): ImportItem['workflowHistory'] {
  if (!isJsonObject(value)) return null;
  const histories = Object.entries(value).map(([workflow, raw]) => ({
    workflow,
    entries: parseEntries(workflow, raw, path, problems),
  }));
  const filled = histories.filter(({ entries }) => entries.length > 0);
  return filled.find(({ entries }) => entries.at(-1)?.review_state === reviewState) ?? filled.at(-1) ?? null;
}

function parseEntries(workflow: string, raw: unknown, path: string, problems: ProblemLog): ImportWorkflowEntry[] {
  const entries: ImportWorkflowEntry[] = [];
  for (const value of Array.isArray(raw) ? raw : []) {
    const time = isJsonObject(value) ? parseDate(value.time) : null;
    const state = isJsonObject(value) ? stringOrNull(value.review_state) : null;
    if (!isJsonObject(value) || !time || !state) {
      problems.add({ path, message: `An entry in the history of ${workflow} has no time or no review_state.` });
      continue;
    }
    entries.push({
      action: stringOrNull(value.action),
      actor: textOf(value.actor),
      comments: textOf(value.comments),
      review_state: state,
      time,
    });
  }
  return entries;
}
