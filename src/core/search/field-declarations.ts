import type { Field, FieldIndex } from '../types/content-type.ts';
import type { IndexDisplay } from '../types/definition.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import { fitsIndex, INDEX_KINDS, type IndexKind, indexKind, isOpen, neededFor } from '../types/index-kinds.ts';
import { CATALOG_NAME, INDEXED_FIELDS } from './values.ts';

/** The reason why a declaration is not possible. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The names of indexes and columns that a type cannot declare again. */
export type TakenNames = { hasIndex(name: string): boolean; hasColumn(name: string): boolean };

/** Parameters of searches; an index with such a name could not be queried. */
const PARAMETERS = new Set([
  ...['sort_on', 'sort_order', 'sort_limit', 'b_start', 'b_size', 'metadata_fields', 'fullobjects', 'expand'],
  ...['use_site_search_settings', 'show_inactive', 'facet_fields', 'facet_limit', 'hl', 'spellcheck'],
]);
/** Fields that lists load from columns instead of the fields, and these columns. */
const OTHER_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['language', 'Language'],
  ['effective', 'effective'],
  ['expires', 'expires'],
  ['id', 'getId'],
]);
const GROUPS: Partial<Record<IndexKind, string>> = { date: 'Dates', text: 'Text' };
const UNSORTABLE: ReadonlySet<IndexKind> = new Set(['keyword', 'text', 'uuid']);
const NAMES = 'a name begins with a letter and has up to 100 letters, digits, "-" and "_"';

const quoted = (value: unknown): string => JSON.stringify(value)?.slice(0, 120) ?? String(value);

/** The reason why an index of a field cannot have a name; undefined for a possible name. */
export function indexNameProblem(name: unknown, field: string, taken: TakenNames): string | undefined {
  if (typeof name !== 'string' || !CATALOG_NAME.test(name)) return `No index can be called ${quoted(name)}: ${NAMES}.`;
  if (PARAMETERS.has(name)) return `No index can be called "${name}": searches have a parameter of that name.`;
  const other = INDEXED_FIELDS.get(field);
  if (other !== undefined) return `The field "${field}" is indexed already: ${other}.`;
  return taken.hasIndex(name) ? `There is an index "${name}" already.` : undefined;
}

/** The reason why a column of a field cannot have a name; undefined for a possible name. */
export function columnNameProblem(name: unknown, field: string, taken: TakenNames): string | undefined {
  if (typeof name !== 'string' || !CATALOG_NAME.test(name)) return `No column can be called ${quoted(name)}: ${NAMES}.`;
  const other = OTHER_COLUMNS.get(field);
  if (other !== undefined) return `The field "${field}" has a column already: ${other}.`;
  return taken.hasColumn(name) ? `There is a column "${name}" already.` : undefined;
}

/** The kind of index that a declaration names. */
export const declaredKind = (named: unknown): IndexKind | Refusal =>
  indexKind(named) ?? new Refusal(`There is no kind of index ${quoted(named)}. Use one of ${INDEX_KINDS.join(', ')}.`);

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
const isFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean';

/** The reason why an index cannot be shown as declared; undefined for none. */
export function displayProblem({ title, description, group, enabled, sortable }: IndexDisplay): string | undefined {
  if (![title, description, group].every(isText)) return 'title, description and group of an index are texts.';
  return [enabled, sortable].every(isFlag) ? undefined : 'enabled and sortable of an index are true or false.';
}

/** An index of a field; defaults of its declaration follow from the field and the kind. */
export const fieldIndex = (name: string, kind: IndexKind, field: Field, shown: IndexDisplay): FieldIndex => ({
  name,
  kind,
  field,
  title: shown.title ?? field.title,
  description: shown.description ?? field.description ?? '',
  group: shown.group ?? GROUPS[kind] ?? 'Metadata',
  enabled: shown.enabled ?? true,
  sortable: !UNSORTABLE.has(kind) && (shown.sortable ?? true),
});

/** The index that a field declares by its `index`, if it does. */
export function ownIndex(field: Field, kinds: FieldKinds, taken: TakenNames): FieldIndex | Refusal | undefined {
  const { index, name } = field;
  if (index === undefined) return undefined;
  const { kind: named, ...shown } = typeof index === 'object' && index !== null ? index : { kind: index };
  const kind = declaredKind(named);
  if (kind instanceof Refusal) return kind;
  if (!isOpen(field)) return new Refusal('What not everybody may read can be no index.');
  if (!fitsIndex(kinds, kind, field)) return new Refusal(`An index of the kind "${kind}" needs ${neededFor(kind)}.`);
  const problem = indexNameProblem(name, name, taken) ?? displayProblem(shown);
  return problem === undefined ? fieldIndex(name, kind, field, shown) : new Refusal(problem);
}

/** The column that a field declares by its `column`, if it does: its name. */
export function ownColumn(field: Field, kinds: FieldKinds, taken: TakenNames): string | Refusal | undefined {
  const { column, name } = field;
  if (column === undefined || column === false) return undefined;
  if (column !== true) return new Refusal('column is true or false.');
  if (!isOpen(field)) return new Refusal('What not everybody may read can be no column.');
  if (!kinds.of(field).column)
    return new Refusal('A column needs a text, a number, a truth value, a date, a choice or a list of texts.');
  const problem = columnNameProblem(name, name, taken);
  return problem === undefined ? name : new Refusal(problem);
}
