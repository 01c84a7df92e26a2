import type { Transaction } from '../../database/database.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { inserted, itemKey } from '../configuration/profiles/three-way.ts';
import { behaviorIds } from '../configuration/site/check-configuration.ts';
import { KINDS, type Site } from '../configuration/site/site.ts';
import { workflowOf } from '../configuration/workflow/workflow.ts';
import type { ContentType, Field } from '../types/content-type.ts';
import { vocabularyName } from '../types/vocabularies/vocabulary-definition.ts';
import { keepPart, type Piece } from './merge-pieces.ts';
import { statesInUse, type ValueUse, valueUse } from './statements/set-up-use.ts';

/** Values of a field of a type that a change of the set-up hides. */
export type HiddenValues = ValueUse & { type: string; field: string };

/** Fields whose values work as columns also without the field: content is published, expires and has a language by them. */
const COLUMNS: readonly string[] = ['effective', 'expires', 'language'];

/** The values that count as no value of a field. */
const unset = ({ default: initial = false }: Field): unknown[] => [initial];

/** The values of content that are no longer served, because its type has lost the fields. Reads all content of such types. */
export async function hiddenValues(tx: Transaction, before: Site, after: Site): Promise<HiddenValues[]> {
  const found: HiddenValues[] = [];
  for (const [type, { fields }] of before.types) {
    const next = after.types.get(type);
    if (!next) continue;
    for (const field of fields) {
      if (next.fieldByName.has(field.name) || COLUMNS.includes(field.name)) continue;
      const use = await valueUse(tx, [type], { field: field.name, nothing: unset(field) });
      if (use.count > 0) found.push({ type, field: field.name, ...use });
    }
  }
  return found;
}

const objects = (count: number): string => (count === 1 ? '1 object has' : `${count} objects have`);

/** The first objects of a use, for people: `: /a, /b, /c and 2 more`. */
const where = ({ count, paths }: ValueUse): string =>
  paths.length === 0
    ? ' (in the recycle bin)'
    : `: ${paths.join(', ')}${count > paths.length ? ` and ${count - paths.length} more` : ''}`;

/** A line about values that are not served any more. */
export const hiddenLine = (hidden: HiddenValues): string =>
  `Hidden: ${objects(hidden.count)} values in ${hidden.field} of the content type "${hidden.type}", which are no longer served${where(hidden)}.`;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Adds an item of the site's list to a list, at its place in the site's list. */
function withItem(wanted: unknown, site: unknown, key: string): unknown[] {
  if (list(wanted).some((item) => itemKey(item) === key)) return list(wanted);
  const items = new Map([...list(wanted), ...list(site)].map((item) => [itemKey(item) ?? '', item]));
  const names = (value: unknown): string[] => list(value).map((item) => itemKey(item) ?? '');
  return inserted(names(wanted), key, names(site)).map((name) => items.get(name));
}

const fieldsOf = (fieldset: unknown): unknown[] => (isJsonObject(fieldset) ? list(fieldset.fields) : []);

/** Adds a field of the site to a type or behavior: its definition, its place in the form, and whether it is required. */
function withField(wanted: JsonObject, site: JsonObject, name: string): JsonObject {
  const properties = isJsonObject(site.properties) ? site.properties : {};
  const home = list(site.fieldsets).find((one) => fieldsOf(one).includes(name));
  const same = (one: unknown): one is JsonObject => isJsonObject(one) && isJsonObject(home) && one.id === home.id;
  const fieldsets = list(wanted.fieldsets).some(same)
    ? list(wanted.fieldsets).map((one) =>
        same(one) ? { ...one, fields: withItem(one.fields, fieldsOf(home), name) } : one,
      )
    : [...list(wanted.fieldsets), ...(home ? [{ ...home, fields: [name] }] : [])];
  return {
    ...wanted,
    properties: { ...(isJsonObject(wanted.properties) ? wanted.properties : {}), [name]: properties[name] },
    fieldsets,
    ...(list(site.required).includes(name) && { required: withItem(wanted.required, site.required, name) }),
  };
}

/** Gives a piece a field back, or a type a behavior. A field that no piece of the change removes is left alone. */
function keepField(before: Site, after: Site, pieces: readonly Piece[], hidden: HiddenValues): void {
  const type = before.types.get(hidden.type);
  const source = type?.fieldByName.get(hidden.field)?.behavior;
  if (!type || source === undefined) return;
  const known = behaviorIds(before);
  const named = type.behaviors.find((name) => known.get(name) === source);
  const still = after.types.get(hidden.type)?.behaviors.some((name) => behaviorIds(after).get(name) === source);
  // The behavior may have another name on the site than in its file.
  const piece = pieces.find(({ row }) =>
    named !== undefined && still
      ? row.kind === KINDS.behavior && known.get(row.id) === source
      : row.kind === KINDS.type && row.id === type.id,
  );
  const site = piece?.present?.data;
  const wanted = piece?.versions.wanted;
  if (!piece || !isJsonObject(site) || !isJsonObject(wanted)) return;
  const reason = `because ${objects(hidden.count)} values in ${hidden.field}${where(hidden)}`;
  if (named !== undefined && !still) {
    const behaviors = withItem(wanted.behaviors, site.behaviors, named);
    keepPart(piece, { ...wanted, behaviors }, { key: 'behaviors', site: named, reason: `"${named}" stays, ${reason}` });
  } else
    keepPart(piece, withField(wanted, site, hidden.field), {
      ...{ key: `properties.${hidden.field}`, site: hidden.field },
      reason: `the field stays, ${reason}`,
    });
}

/** Keeps fields that have values, and the behaviors that have these fields. */
export async function keepFields(
  tx: Transaction,
  { before, after }: { before: Site; after: Site },
  pieces: readonly Piece[],
): Promise<void> {
  // One behavior may have several fields with values; each gets a reason of its own.
  for (const hidden of await hiddenValues(tx, before, after)) keepField(before, after, pieces, hidden);
}

const tokensOf = (data: unknown): string[] =>
  isJsonObject(data) ? list(data.items).flatMap((item) => itemKey(item) ?? []) : [];

/** The types with fields that choose from a vocabulary. */
const choosing = ({ types }: Site, vocabulary: string): { type: ContentType; field: Field }[] =>
  [...types.values()].flatMap((type) =>
    type.fields.filter((field) => vocabularyName(field) === vocabulary).map((field) => ({ type, field })),
  );

/** Keeps terms of vocabularies that content has; with `hides` they are removed. Returns lines about values whose terms are removed. */
export async function keepTerms(
  tx: Transaction,
  { before, hides }: { before: Site; hides: boolean },
  pieces: readonly Piece[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const piece of pieces.filter(({ row, merged }) => row.kind === KINDS.vocabulary && merged.value !== undefined)) {
    const { present, merged, row } = piece;
    const stays = new Set(tokensOf(merged.value));
    for (const token of tokensOf(present?.data).filter((one) => !stays.has(one)))
      for (const { type, field } of choosing(before, row.id)) {
        const use = await valueUse(tx, [type.id], { field: field.name, token });
        if (use.count === 0) continue;
        const said = `${objects(use.count)} it in ${field.name} of the content type "${type.id}"${where(use)}`;
        const { wanted } = piece.versions;
        if (hides || !isJsonObject(wanted) || !isJsonObject(present?.data)) {
          lines.push(`Without a title: the term "${token}" of ${row.file} goes. ${said}.`);
          continue;
        }
        const items = withItem(wanted.items, present.data.items, token);
        keepPart(
          piece,
          { ...wanted, items },
          { key: 'items', site: token, reason: `"${token}" stays, because ${said}` },
        );
        break;
      }
  }
  return lines;
}

/** Lines about content in states that its workflow loses: it gets the first state, and other people may view it then. */
export async function stateLines(tx: Transaction, before: Site, after: Site): Promise<string[]> {
  const moved = [...before.types.keys()].flatMap((type) => {
    const next = workflowOf(after, type);
    const gone = Object.keys(workflowOf(before, type)?.states ?? {}).filter(
      (state) => !next || !(state in next.states),
    );
    return next && gone.length > 0 ? [{ type, gone, next }] : [];
  });
  if (moved.length === 0) return [];
  const used = await statesInUse(
    tx,
    moved.map(({ type }) => type),
  );
  return used.flatMap(({ type, state, count }) => {
    const { gone, next } = moved.find((one) => one.type === type) ?? {};
    if (!next || state === null || !gone?.includes(state)) return [];
    const many = count === 1 ? '1 object' : `${count} objects`;
    return [
      `Moved: the workflow "${next.id}" has no state "${state}": content of the type "${type}" in it (${many}) gets the state "${next.initial_state}".`,
    ];
  });
}
