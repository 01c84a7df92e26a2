import { OLDER_VERSIONS } from '@canopy-server/plone-export';
import { type ExportedItem, type ExportedVersion, isEmptyValue } from '@canopy-server/site-reader';
import {
  type ContentType,
  type Field,
  FieldError,
  type FieldKinds,
  fieldValues,
  PreparedFile,
  type StoredFile,
  searchWords,
} from '#core';
import { ClientError } from '#lib/errors';
import { isJsonObject } from '#lib/json-object';
import { sanitizeAnyHtml } from '#lib/text/sanitize-html';
import type { ImportReason } from './import-reasons.ts';
import type { ImportRun } from './import-run.ts';
import type { LinkMap } from './item-links.ts';
import type { LoadedItem } from './load-item.ts';
import { type PathOf, textBlocks } from './text-blocks.ts';
import { CHANGES, changeOf } from './value-changes.ts';
import type { ReadyItem } from './write-batch.ts';

/** Fields that are columns of content or are handled elsewhere. */
export const NOT_FIELDS = new Set(['id', 'changeNote', 'effective', 'expires', 'language']);

/** A problem with a value of an object. */
type ValueProblem = { reason: ImportReason; key: string; message: string };

/** The stored values of an object, and the problems with them. */
export type ItemValues = {
  fields: Record<string, unknown>;
  /** Those of each older version, without fields that were as in the next one. */
  versions: Record<string, unknown>[];
  problems: ValueProblem[];
  /** Names of values that the type has no field for: they are stored, but not served. */
  unknown: string[];
};

type ItemInput = {
  item: ExportedItem;
  /** The id that the object will have; its title when the export has none. */
  name: string;
  type: ContentType;
  files: ReadonlyMap<string, StoredFile>;
  versionFiles: readonly ReadonlyMap<string, StoredFile>[];
};

type ParseContext = {
  kinds: FieldKinds;
  resolver: ReturnType<LinkMap['resolver']>;
  /** The UIDs that links of the field lead to, where nothing has them; emptied for each field. */
  dangling: Set<string>;
  problems: ValueProblem[];
};

/**
 * Parses the values of an exported object, each by the kind of its field, like those of a client. Values that do not
 * fit are reported and replaced by the field's default; the object as a whole is never rejected.
 */
function parseItemValues(
  { kinds, pathOf, resolver, dangling }: Omit<ParseContext, 'problems'> & { pathOf: PathOf | undefined },
  { item, name, type, files, versionFiles }: ItemInput,
): ItemValues {
  const context: ParseContext = { kinds, resolver, dangling, problems: [] };
  const input: Record<string, unknown> = { ...item.fields };
  if (item.creators.length > 0) input.creators = item.creators;
  for (const { field } of item.files) {
    const stored = files.get(field);
    input[field] = stored ? new PreparedFile(stored) : null;
  }
  const blocks = pathOf ? textBlocks(type, item.fields, pathOf) : undefined;
  if (blocks) {
    Object.assign(input, blocks);
    context.problems.push({ reason: 'added', key: 'blocks', message: 'Its text became a block.' });
  }
  const fields: Record<string, unknown> = {};
  for (const field of type.fields) {
    if (NOT_FIELDS.has(field.name)) continue;
    const sent = input[field.name];
    const value = sent === undefined || sent === null ? undefined : parseValue(sent, field, context);
    if (value !== undefined) fields[field.name] = value;
    else if (!field.writeOnly)
      fields[field.name] =
        sent === null ? (kinds.of(field).missing ?? null) : fieldValues.defaultOf(kinds.of(field), field);
    if (!field.required || !isEmptyValue(fields[field.name])) continue;
    if (field.name === 'title') fields.title = name;
    // That a file is missing is reported already.
    else if (!item.files.some((file) => file.field === field.name))
      context.problems.push({
        reason: 'doubtful',
        key: field.name,
        message: `Field ${field.name} has no value, though content of the type ${type.id} needs one.`,
      });
  }
  const unknown: string[] = [];
  for (const [key, sent] of Object.entries(input)) {
    if (type.fieldByName.has(key) || NOT_FIELDS.has(key) || isEmptyValue(sent)) continue;
    const value = sent instanceof PreparedFile ? sent.file : parseValue(sent, anyField(key), context);
    if (value === undefined) continue;
    fields[key] = value;
    unknown.push(key);
  }
  const dates = { effective: item.effective?.toISOString(), expires: item.expires?.toISOString() };
  for (const problem of fieldValues.problems(
    type,
    { ...fields, ...dates },
    new Set([...Object.keys(fields), 'effective']),
  )) {
    context.problems.push({
      reason: 'doubtful',
      key: problem.field ?? '',
      message: `Field ${problem.field}: ${problem.message} It is kept as it is.`,
    });
  }
  const versions = item.versions.map((version, index) =>
    parseVersionValues(version, { type, files: versionFiles[index] ?? new Map() }, context),
  );
  return { fields, versions, problems: context.problems, unknown };
}

/** Parses the values of an older version. One that does not fit is reported and counts as that of the next version. */
function parseVersionValues(
  version: ExportedVersion,
  { type, files }: Pick<ItemInput, 'type' | 'files'>,
  { problems, ...given }: ParseContext,
): Record<string, unknown> {
  const { kinds } = given;
  const context: ParseContext = { ...given, problems: [] };
  const input: Record<string, unknown> = { ...version.fields };
  for (const { field } of version.files) {
    const stored = files.get(field);
    if (stored) input[field] = new PreparedFile(stored);
  }
  const values: Record<string, unknown> = {};
  for (const [name, sent] of Object.entries(input)) {
    const field = type.fieldByName.get(name);
    if (NOT_FIELDS.has(name)) continue;
    if (!field) {
      if (!isEmptyValue(sent)) {
        const message = `The type ${type.id} has no field ${name}: its value is left out.`;
        context.problems.push({ reason: 'field', key: name, message });
      }
      continue;
    }
    const value = sent === null ? (kinds.of(field).missing ?? null) : parseValue(sent, field, context);
    if (value !== undefined) values[name] = value;
  }
  for (const { reason, key, message } of context.problems) {
    const place = `${OLDER_VERSIONS}.${version.number}.${key}`;
    problems.push({ reason, key: place, message: `Version ${version.number}: ${message}` });
  }
  return values;
}

const anyField = (name: string): Field => ({ name, title: name, type: 'dict', factory: 'JSONField', required: false });

/** Returns the stored form of a value; undefined when it does not fit. */
function parseValue(sent: unknown, field: Field, parseContext: ParseContext): unknown {
  const { kinds, resolver, dangling, problems } = parseContext;
  dangling.clear();
  const kind = kinds.of(field);
  const context = { ...resolver, current: undefined, sanitize: sanitizeAnyHtml };
  const value = kind.relates ? resolvedRelations(sent, field, parseContext) : sent;
  if (value === undefined) return undefined;
  const changed = (reason: ImportReason, message: string) => problems.push({ reason, key: field.name, message });
  try {
    const stored = kind.deserialize(value, field, context);
    for (const uid of dangling)
      changed('link', `Field ${field.name} has a link to the UID ${uid}, which nothing has. It stays as it is.`);
    const change = value instanceof PreparedFile ? undefined : changeOf(value, stored);
    if (change) changed(change === 'cleaned' ? change : 'changed', `Field ${field.name} ${CHANGES[change]}`);
    return stored;
  } catch (error) {
    const reason = reasonOf(error);
    const mended = kind.mend?.(value);
    try {
      if (mended === undefined) throw error;
      const stored = kind.deserialize(mended, field, context);
      changed('changed', `Field ${field.name} was changed so that it fits. ${reason}`);
      return stored;
    } catch (second) {
      reasonOf(second);
      changed('value', `Field ${field.name} is left at its default. ${reason}`);
      return undefined;
    }
  }
}

/** Returns why a kind rejects a value. Throws other errors again. */
function reasonOf(error: unknown): string {
  if (error instanceof FieldError || error instanceof ClientError) return error.message;
  throw error;
}

/**
 * Returns the UIDs of the targets that exist, in their order. An address that leads nowhere may have a UID beside it
 * that does.
 */
function resolvedRelations(sent: unknown, field: Field, { resolver, problems }: ParseContext): unknown {
  const uids: string[] = [];
  const values = Array.isArray(sent) ? sent : [sent];
  for (const value of values) {
    const uid = firstResolved(isJsonObject(value) ? [value.UID, value['@id']] : [value], resolver);
    if (uid !== undefined) uids.push(uid);
    else if (!isEmptyValue(value))
      problems.push({
        reason: 'target',
        key: field.name,
        message: `Field ${field.name} refers to ${describe(value)}, which is not there.`,
      });
  }
  return Array.isArray(sent) ? uids : uids[0];
}

function firstResolved(references: unknown[], resolver: ReturnType<LinkMap['resolver']>): string | undefined {
  for (const reference of references) {
    const uid = typeof reference === 'string' && reference !== '' ? resolver.resolveUid(reference) : undefined;
    if (uid !== undefined) return uid;
  }
  return undefined;
}

const describe = (value: unknown): string => {
  const address = isJsonObject(value) ? (value['@id'] ?? value.UID) : value;
  return (typeof address === 'string' ? address : JSON.stringify(value)).slice(0, 200);
};

/** A loaded object with the stored values of its fields, and the references in them that the export does not know. */
export type ParsedItem = ReadyItem & { misses: ReadonlySet<string> };

/** Parses the values of an object as far as that needs no database. */
export function parseLoaded({ kernel, links, plan, site, textAsBlocks }: ImportRun, loaded: LoadedItem): ParsedItem {
  const pathOf: PathOf | undefined = textAsBlocks ? (uid) => plan.byUid.get(uid)?.path : undefined;
  const misses = new Set<string>();
  const dangling = new Set<string>();
  const resolver = links.resolver(misses, (uid) => dangling.add(uid));
  const values = parseItemValues({ kinds: kernel.fieldKinds, pathOf, resolver, dangling }, loaded);
  const words = searchWords.ofContent(site, { path: loaded.planned.path, type: loaded.type.id, fields: values.fields });
  return { loaded, ...values, words, misses };
}

/**
 * Looks up references that the export does not know, with one statement for all objects of a batch. Only objects with such
 * references are parsed again.
 */
export async function resolveBatch(run: ImportRun, batch: readonly ParsedItem[]): Promise<ReadyItem[]> {
  const found = await run.links.lookUp(run.scope.db, new Set(batch.flatMap(({ misses }) => [...misses])));
  return batch.map((item) => (found && item.misses.size > 0 ? parseLoaded(run, item.loaded) : item));
}
