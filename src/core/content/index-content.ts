import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../../database/database.ts';
import { textOf } from '../../lib/json-object.ts';
import { siteTimeZone } from '../configuration/panels/general.ts';
import type { Site } from '../configuration/site/site.ts';
import { FILES_KEY } from '../files/statements/file-texts.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type IndexedWords, indexedWords } from '../search/indexed-words.ts';
import { type CatalogRow, insertCatalogRow, writeCatalogRow } from '../search/statements/catalog.ts';
import { sortableTitle, stemmerFor, wordsOf } from '../search/text.ts';
import { CATALOG_NAME, eventTimes, INDEXED_FIELDS, rangedValues } from '../search/values.ts';
import { inactiveViewersOf, type SecurityNode, viewersOf } from '../security/can.ts';
import type { ContentObject, ResolvedNode } from '../types/content-row.ts';
import type { Field } from '../types/content-type.ts';
import { visitBlocks } from './blocks/walk.ts';
import { securityChain } from './permissions.ts';
import { searchedFiles, searchedText } from './searched-text.ts';
import { CLOSED_LINK_RELATION, LINK_RELATION, type Reference, replaceReferences } from './statements/references.ts';
import { nameOf } from './tree-path.ts';

/** Maximum number of indexed keywords of one object, and of characters of a keyword. */
const MAX_SUBJECTS = 500;
const MAX_SUBJECT = 500;

/** The parts of an object from which its catalog row and its references are made. */
export type Indexable = Pick<ContentObject, 'oid' | 'path' | 'type' | 'title' | 'description' | 'language' | 'fields'>;

/** The tags of an object. */
const subjectsOf = ({ subjects }: Indexable['fields']): string[] =>
  Array.isArray(subjects)
    ? subjects.filter((subject) => typeof subject === 'string' && subject.length <= MAX_SUBJECT).slice(0, MAX_SUBJECTS)
    : [];

/** The words of an id that the title lacks. */
function idWords(id: string, title: string): string {
  const inTitle = new Set(wordsOf(title));
  return [...wordsOf(id)].some((word) => !inTitle.has(word)) ? id : '';
}

/** The words of an object beyond its title and description: of its id, its tags and its texts. */
const moreWords = (site: Site, { path, type, fields }: Pick<Indexable, 'path' | 'type' | 'fields'>): string =>
  [
    idWords(nameOf(path), textOf(fields.title)),
    subjectsOf(fields).join(' '),
    searchedText(site, site.types.get(type), fields),
  ].join(' ');

/** The texts of single fields whose words can be searched, by the names of the fields. */
function fieldTexts(site: Site, { type, fields }: Pick<Indexable, 'type' | 'fields'>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { name, field, kind } of site.registries.fieldKinds.fieldsOf(site.types.get(type))) {
    const value = fields[name];
    if (value === undefined || value === null || INDEXED_FIELDS.has(name) || !CATALOG_NAME.test(name)) continue;
    const text = kind.indexes?.includes('text') ? (kind.words?.(value, field, fields) ?? '') : '';
    if (text !== '') texts[name] = text;
  }
  return texts;
}

/** The types of all blocks of an object, nested ones included. */
function blockTypesOf({ blocks }: Indexable['fields']): string[] {
  const types = new Set<string>();
  visitBlocks(blocks, ({ '@type': type }) => {
    if (typeof type === 'string' && type.length <= MAX_SUBJECT) types.add(type);
  });
  return [...types].sort().slice(0, MAX_SUBJECTS);
}

/**
 * Returns the references of an object: its relation fields under their names, links in all other fields as `isReferencing`. Links
 * that occur only in fields with a read permission get a name that no list shows.
 */
export function referencesOf(
  kernel: Pick<Kernel, 'fieldKinds'>,
  site: Site,
  object: Pick<Indexable, 'type' | 'fields'>,
): Reference[] {
  const references: Reference[] = [];
  const open = new Set<string>();
  const closed = new Set<string>();
  for (const { name, field, kind, isOpen } of kernel.fieldKinds.fieldsOf(site.types.get(object.type))) {
    const stored = object.fields[name];
    if (stored === undefined || stored === null) continue;
    for (const target of kind.references?.(stored, field) ?? kind.uids?.(stored, field) ?? []) {
      if (kind.relates) references.push({ relation: name, target });
      else (isOpen ? open : closed).add(target);
    }
  }
  for (const target of open) references.push({ relation: LINK_RELATION, target });
  for (const target of closed) if (!open.has(target)) references.push({ relation: CLOSED_LINK_RELATION, target });
  return references;
}

/** The words by which searches find an object. */
export function wordsOfContent(site: Site, object: Pick<Indexable, 'path' | 'type' | 'fields'>): IndexedWords {
  const { title, description } = object.fields;
  const parts = { title: textOf(title), description: textOf(description), text: moreWords(site, object) };
  return indexedWords(parts, fieldTexts(site, object));
}

/** The catalog row of an object; `chain` is its security chain; `words` are its searched words, if known. */
export function catalogRowOf(
  site: Site,
  object: Indexable,
  chain: readonly SecurityNode[],
  words: IndexedWords = wordsOfContent(site, object),
): CatalogRow {
  const { oid, title, language, fields } = object;
  const files = searchedFiles(site, site.types.get(object.type), fields);
  const values = site.catalog.storedValues(object, site.types.get(object.type));
  const custom = files.length === 0 ? values : { ...values, [FILES_KEY]: files.map(({ hash }) => hash) };
  return {
    oid,
    allowed: viewersOf(chain, site.roleMap),
    inactiveAllowed: inactiveViewersOf(chain, site.roleMap),
    excludeFromNav: fields.exclude_from_nav === true,
    ...words,
    stemmer: stemmerFor(language),
    files,
    sortableTitle: sortableTitle(title),
    subjects: subjectsOf(fields),
    blockTypes: blockTypesOf(fields),
    ...eventTimes(fields, siteTimeZone(site)),
    custom,
    ranged: rangedValues(custom),
  };
}

/** Says if an object refers to the same as when some of its fields had the values `before`. */
function refersAsBefore(
  kernel: Pick<Kernel, 'fieldKinds'>,
  site: Site,
  object: Pick<Indexable, 'type' | 'fields'>,
  before: Readonly<Record<string, unknown>>,
): boolean {
  const refers = (field: Field): boolean => {
    const { references, uids } = kernel.fieldKinds.of(field);
    return references !== undefined || uids !== undefined;
  };
  const fields = site.types.get(object.type)?.fields ?? [];
  if (!fields.some((field) => Object.hasOwn(before, field.name) && refers(field))) return true;
  const former = { type: object.type, fields: { ...object.fields, ...before } };
  return isDeepStrictEqual(referencesOf(kernel, site, former), referencesOf(kernel, site, object));
}

/**
 * Writes everything that lists and searches need of one object: its catalog row and its references. These stay as they are where the
 * fields are known that have changed, with their values `before`, and it refers to the same.
 */
export async function indexContent(
  kernel: Kernel,
  tx: Queryable,
  site: Site,
  { resolved, before }: { resolved: ResolvedNode; before?: Readonly<Record<string, unknown>> | undefined },
): Promise<void> {
  const { object } = resolved;
  await indexRenamed(tx, site, resolved);
  if (before && refersAsBefore(kernel, site, object, before)) return;
  await replaceReferences(tx, object.oid, referencesOf(kernel, site, object));
}

/** Writes the catalog row of a renamed object. Its references stay. */
export const indexRenamed = (tx: Queryable, site: Site, resolved: ResolvedNode): Promise<void> =>
  writeCatalogRow(tx, catalogRowOf(site, resolved.object, securityChain(site, resolved)));

/** Writes the catalog row and references of an object that was created in this transaction and has no index entries yet. */
export async function indexNewContent(
  kernel: Kernel,
  tx: Queryable,
  site: Site,
  resolved: ResolvedNode,
): Promise<void> {
  const { object } = resolved;
  await insertCatalogRow(tx, catalogRowOf(site, object, securityChain(site, resolved)));
  const references = referencesOf(kernel, site, object);
  if (references.length > 0) await replaceReferences(tx, object.oid, references);
}
