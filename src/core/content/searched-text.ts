import type { Site } from '../configuration/site/site.ts';
import { textFormat } from '../files/text/formats.ts';
import type { ContentObject } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import { isStoredFile } from '../types/fields/files.ts';

/**
 * Fields whose words are not in the searched text: titles, descriptions and tags are indexed separately, people have an index, and the other fields
 * are rules, names and settings.
 */
const NOT_SEARCHED: ReadonlySet<string> = new Set([
  ...['title', 'description', 'subjects', 'creators', 'contributors', 'language', 'id', 'layout', 'changeNote'],
  ...['recurrence', 'sync_uid', 'query', 'sort_on', 'thumb_scale_list', 'thumb_scale_table', 'thumb_scale_summary'],
]);

/** Fields that are the body of an object: their words come before the words of other fields. */
const BODY: readonly string[] = ['blocks', 'text'];

const bodyFirst = (a: string, b: string): number =>
  (BODY.includes(b) ? 1 : 0) - (BODY.includes(a) ? 1 : 0) || BODY.indexOf(a) - BODY.indexOf(b);

/** The words of an object beyond its title, description and tags, from each field that everybody who sees the object may read. */
export function searchedText(
  { registries }: Pick<Site, 'registries'>,
  type: ContentType | undefined,
  fields: ContentObject['fields'],
): string {
  const searched = registries.fieldKinds
    .fieldsOf(type)
    .filter(({ name, isOpen }) => isOpen && !NOT_SEARCHED.has(name))
    .filter(({ name }) => fields[name] !== undefined && fields[name] !== null)
    .sort((a, b) => bodyFirst(a.name, b.name));
  return searched
    .map(({ name, field, kind }) => kind.words?.(fields[name], field, fields) ?? '')
    .filter((text) => text !== '')
    .join(' ');
}

/** Maximum number of files of one object whose texts are searched. */
const MAX_FILES = 3;

/** The files of an object that have texts, of fields that everybody who sees the object may read. */
export function searchedFiles(
  { registries }: Pick<Site, 'registries'>,
  type: ContentType | undefined,
  fields: ContentObject['fields'],
): { hash: string; format: string }[] {
  const files = registries.fieldKinds.fieldsOf(type).flatMap(({ name, kind, isOpen }) => {
    const stored = fields[name];
    if (!isStoredFile(stored) || !isOpen || kind.holds !== 'file') return [];
    const format = textFormat(stored);
    return format === undefined ? [] : [{ hash: stored.hash, format }];
  });
  return files.slice(0, MAX_FILES);
}
