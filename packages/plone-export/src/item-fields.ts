import {
  type ExportedFile,
  type ExportedItem,
  type ExportFolder,
  isDeeperThan,
  isJsonObject,
  type JsonObject,
  type LinkForms,
  type ProblemLog,
  stringOf,
} from '@canopy-server/site-reader';
import { hasFileContent, isFileValue, parseFile } from './files.ts';
import { isContentField } from './item-keys.ts';
import { tokenOf, withZone } from './json-values.ts';
import { withPlainLinks } from './old-links.ts';
import type { SideData } from './side-data.ts';
import type { SiteAddress } from './site-address.ts';

/** The context in which objects are parsed. */
export type ItemContext = {
  folder: ExportFolder;
  site: SiteAddress;
  side: SideData;
  problems: ProblemLog;
  links: LinkForms;
  /** True if the export has content at a path. */
  has(path: string): boolean;
};

/** Parses the fields of an exported object or of one of its versions. */
export async function parseFields(
  contentPath: string,
  raw: JsonObject,
  context: ItemContext,
): Promise<{ fields: Record<string, unknown>; files: ExportedFile[]; terms: ExportedItem['terms'] }> {
  const { folder, problems } = context;
  const content: [string, unknown][] = [];
  const files: ExportedFile[] = [];
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

/**
 * Maximum depth of values: blocks have a dozen levels at most, and very deep values would overflow the stack of
 * recursive functions.
 */
const MAX_DEPTH = 200;

/** The object whose fields are read. */
type FieldPlace = ItemContext & { path: string; isFolderish: boolean };

/**
 * Makes field values independent of the exported site: choices become their tokens, dates without a time zone are marked as UTC, links into the old
 * site become paths. Values that are nested too deeply are reported and left out.
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
  typeof value.data === 'string' && /html/.test(stringOf(value['content-type'])) ? value.data : null;

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
