import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { ExportFolder } from '../export-folder.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportFile, ImportItem } from '../import-source.ts';
import {
  isEmptyValue,
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
import { parseWorkflowHistory } from './item-history.ts';
import { type IndexEntry, parentPathOf } from './item-index.ts';
import { isContentField, OWN_PROPERTY, reportLeftKeys } from './item-keys.ts';
import { withPlainLinks } from './old-links.ts';
import { lookUp, parseConstrains, type SideData } from './side-data.ts';
import type { SiteAddress } from './site-address.ts';

type ItemContext = {
  folder: ExportFolder;
  site: SiteAddress;
  side: SideData;
  problems: ImportReport;
  /** Whether the export has content at a path. */
  has(path: string): boolean;
};

/** Builds the item of an exported object (plone.restapi's JSON with the additions of both formats). */
export async function buildItem(entry: IndexEntry, raw: JsonObject, context: ItemContext): Promise<ImportItem> {
  const { side, problems } = context;
  // Side data use the UID of the export, also when the item gets another one.
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
  };
}

async function parseFields(
  contentPath: string,
  raw: JsonObject,
  context: ItemContext,
): Promise<{ fields: Record<string, unknown>; files: ImportFile[]; terms: ImportItem['terms'] }> {
  const { folder, problems } = context;
  const content: [string, unknown][] = [];
  const files: ImportFile[] = [];
  const terms: [string, [string, string][]][] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (!isContentField(name, value)) continue;
    if (isFileValue(value)) files.push(await parseFile(name, value, contentPath, folder, problems));
    else content.push([name, value]);
    const titles = titlesOf(value);
    if (titles.length > 0) terms.push([name, titles]);
  }
  const isFolderish = raw.is_folderish === true;
  const fields = cleanFields(content, { ...context, path: contentPath, isFolderish });
  return { fields, files, terms: Object.fromEntries(terms) };
}

/** The tokens of choices in a value, with their titles. */
function titlesOf(value: unknown): [token: string, title: string][] {
  const terms = Array.isArray(value) ? value : [value];
  return terms.flatMap((term): [string, string][] => {
    const token = tokenOf(term);
    const title = isJsonObject(term) ? term.title : undefined;
    return token !== undefined && token !== null && typeof title === 'string' ? [[String(token), title]] : [];
  });
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

/** The object whose fields are read. */
type FieldPlace = ItemContext & { path: string; isFolderish: boolean };

/**
 * Makes field values independent of the exported site: choices become their tokens, dates without a time zone are
 * marked as UTC, links into the old site become paths. Values that are nested too deep are reported and left out.
 */
function cleanFields(fields: [name: string, value: unknown][], place: FieldPlace): Record<string, unknown> {
  const cleaned: [string, unknown][] = [];
  for (const [name, value] of fields) {
    if (isDeeperThan(value, MAX_DEPTH)) {
      const message = `Field ${name} is nested deeper than ${MAX_DEPTH} levels and is left out.`;
      place.problems.add({ reason: 'value', path: place.path, key: name, message });
      continue;
    }
    cleaned.push([name, cleanValue(name, value, place)]);
  }
  return Object.fromEntries(cleaned);
}

function cleanValue(name: string, value: unknown, place: FieldPlace): unknown {
  if (typeof value === 'string') return withZone(place.site.link(value));
  if (Array.isArray(value) && value.length > 0 && value.every((entry) => tokenOf(entry) !== undefined))
    return value.map(tokenOf);
  const token = tokenOf(value);
  if (token !== undefined) return token;
  return walk(name, value, place);
}

/** The HTML of formatted text (plone.restapi, RichText); null for another value. */
const htmlOf = (value: JsonObject): string | null =>
  typeof value.data === 'string' && /html/.test(textOf(value['content-type'])) ? value.data : null;

function walk(name: string, value: unknown, place: FieldPlace): unknown {
  if (typeof value === 'string') return place.site.link(value);
  if (Array.isArray(value)) return value.map((entry) => walk(name, entry, place));
  if (!isJsonObject(value)) return value;
  if (hasFileContent(value))
    place.problems.add({
      reason: 'file',
      path: place.path,
      key: name,
      message: `Field ${name} holds a file inside of other values; that file is not imported.`,
    });
  const html = htmlOf(value);
  if (html !== null) return { ...value, data: plainLinksOf(name, html, place) };
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, walk(name, entry, place)]));
}

const plainLinksOf = (name: string, html: string, place: FieldPlace): string =>
  withPlainLinks(html, {
    ...place,
    onLost: (link) =>
      place.problems.add({
        reason: 'link',
        path: place.path,
        key: name,
        message: `Field ${name} has the relative link ${link.slice(0, 200)}, which leads to nothing in the export.`,
      }),
  });

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}
