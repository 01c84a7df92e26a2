import type { ContentType, Field } from '../types/content-type.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import type { CatalogIndex, IndexSource, OfferedIndex } from './catalog-index.ts';
import { declaredIndexes } from './indexes/declared.ts';
import { CORE_COLUMNS, coreColumns, type MetadataSource } from './metadata.ts';
import { keptValues } from './values.ts';

type Types = ReadonlyMap<string, ContentType>;

/** A column that listings can show (`metadata_fields`). Its value is JSON, made from the data that lists load. */
export type CatalogColumn = {
  name: string;
  value(source: MetadataSource, type: ContentType | undefined): unknown;
};

/** The indexes and columns of features. Types of a site declare further indexes and columns as data, see `CatalogSchema`. */
export class CatalogRegistry {
  readonly indexes = new Map<string, CatalogIndex>();
  readonly columns = new Map<string, CatalogColumn>();

  /** Throws when a name is taken: a mistake of a programmer. */
  constructor({ indexes, columns }: { indexes: readonly CatalogIndex[]; columns: readonly CatalogColumn[] }) {
    for (const index of indexes) {
      if (this.indexes.has(index.name)) throw new Error(`There are two indexes ${index.name}`);
      this.indexes.set(index.name, index);
    }
    for (const column of columns) {
      if (this.hasColumn(column.name)) throw new Error(`There are two columns ${column.name}`);
      this.columns.set(column.name, column);
    }
  }

  /** Says if the core or a feature has an index of this name, which no type can then declare. */
  hasIndex(name: string): boolean {
    return this.indexes.has(name);
  }

  /** Says if the core or a feature has a column of this name, which no type can then declare. */
  hasColumn(name: string): boolean {
    return CORE_COLUMNS.has(name) || this.columns.has(name);
  }
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** A stored value if it is plain, else null: a field of another kind may have left a file behind. */
const plainValue = (value: unknown): unknown =>
  isPlain(value) || (Array.isArray(value) && value.every(isPlain)) ? value : null;

/**
 * The indexes and columns of one site, from features and from the declarations of its types. An object gets its value in a new index of a feature at
 * its next change or a reindex.
 */
export class CatalogSchema {
  readonly #registry: CatalogRegistry;
  readonly #kinds: FieldKinds;
  readonly #declared: ReadonlyMap<string, CatalogIndex>;

  constructor({ catalog, fieldKinds }: { catalog: CatalogRegistry; fieldKinds: FieldKinds }, types: Types) {
    this.#registry = catalog;
    this.#kinds = fieldKinds;
    this.#declared = declaredIndexes(types);
  }

  /** The index with a name; undefined for an unknown name. */
  find(name: string): CatalogIndex | undefined {
    return this.#registry.indexes.get(name) ?? this.#declared.get(name);
  }

  /** The names of the indexes in searches, the path among them. */
  names(): string[] {
    return [...new Set([...this.#registry.indexes.keys(), ...this.#declared.keys(), 'path'])].sort();
  }

  /** The indexes that are offered to the editor of queries beside those of the core, by their names. */
  offered(): Map<string, OfferedIndex> {
    const offered = new Map<string, OfferedIndex>();
    for (const index of [...this.#registry.indexes.values(), ...this.#declared.values()])
      if (index.offered) offered.set(index.name, index.offered);
    return offered;
  }

  /** The values that the catalog stores of an object beside its columns: values of its fields, and of registered indexes. */
  storedValues(source: IndexSource, type: ContentType | undefined): Record<string, unknown> {
    const values = keptValues(this.#indexedFields(source.fields, type));
    for (const { name, store } of this.#registry.indexes.values()) {
      if (!store) continue;
      const value = store(source);
      if (value === undefined || value === null) delete values[name];
      else values[name] = value;
    }
    return values;
  }

  /**
   * The metadata columns of an object under Plone's names (plone.restapi §3.2, Nick's catalog), except addresses and
   * picture scales, which depend on the request; null where the type has no such field. Empty dates are the text "None"
   * in the columns of strings: Volto's folder contents compare with it.
   */
  metadata(source: MetadataSource, type: ContentType | undefined): Record<string, unknown> {
    const values = coreColumns(source, type);
    // A later version of the program may have taken the name.
    for (const [name, field] of type?.columns ?? [])
      if (!this.#registry.hasColumn(name))
        values[name] =
          field === null ? null : plainValue(this.#indexed(type?.fieldByName.get(field), source.fields[field]));
    for (const { name, value } of this.#registry.columns.values()) values[name] = value(source, type) ?? null;
    return values;
  }

  /** A stored value in the form for searches and lists, by its kind. */
  #indexed(field: Field | undefined, stored: unknown): unknown {
    const indexed = field && this.#kinds.of(field).indexed;
    return indexed && stored !== undefined && stored !== null ? indexed(stored) : stored;
  }

  #indexedFields(fields: Record<string, unknown>, type: ContentType | undefined): Record<string, unknown> {
    const formed = this.#kinds.fieldsOf(type).filter(({ kind }) => kind.indexed);
    if (formed.length === 0) return fields;
    const forms = formed.map(({ name, field }) => [name, this.#indexed(field, fields[name])]);
    return { ...fields, ...Object.fromEntries(forms) };
  }
}
