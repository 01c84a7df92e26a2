import { BadRequest } from '../../lib/errors.ts';
import type { ContentType, Field, FieldIndex } from '../types/content-type.ts';
import type { SiteColumn, SiteIndex } from '../types/definition.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import { fitsIndex, isOpen } from '../types/index-kinds.ts';
import {
  columnNameProblem,
  declaredKind,
  displayProblem,
  fieldIndex,
  indexNameProblem,
  ownColumn,
  ownIndex,
  Refusal,
  type TakenNames,
} from './field-declarations.ts';

/** The indexes and columns that a site declares for all its types, beside those of their fields. */
export type SiteCatalog = { indexes: readonly SiteIndex[]; columns: readonly SiteColumn[] };

/** The meaning of a name, and the place of its first declaration. */
type Meaning = { text: string; where: string };

/** Ensures one meaning for each name: a second declaration must have the same meaning. */
class Agreement {
  readonly #what: string;
  readonly #meanings = new Map<string, Meaning>();
  readonly #problems: string[];

  constructor(what: string, problems: string[]) {
    this.#what = what;
    this.#problems = problems;
  }

  add(name: string, { text, where }: Meaning): void {
    const first = this.#meanings.get(name);
    if (!first) this.#meanings.set(name, { text, where });
    else if (first.text !== text)
      this.#problems.push(
        `The ${this.#what} "${name}" is ${first.text} in ${first.where} and ${text} in ${where}. Let both be the same, or rename one.`,
      );
  }
}

const indexMeaning = ({ kind, field }: { kind: string; field: string }) =>
  `of the kind "${kind}" for the field "${field}"`;
const columnMeaning = (field: string) => `that of the field "${field}"`;
const SITE = 'the catalog of the site';

type Declared = { indexes: Map<string, FieldIndex>; columns: Map<string, string> };

/** Reads the declarations of a site, and collects their problems. */
class Declarations {
  readonly problems: string[] = [];
  readonly #indexes = new Agreement('index', this.problems);
  readonly #columns = new Agreement('column', this.problems);
  readonly #taken: TakenNames;
  readonly #kinds: FieldKinds;

  constructor(taken: TakenNames, kinds: FieldKinds) {
    this.#taken = taken;
    this.#kinds = kinds;
  }

  /** The indexes and columns that the fields of a type declare themselves. */
  ofType({ id, fields }: ContentType): Declared {
    const where = `"${id}"`;
    const declared: Declared = { indexes: new Map(), columns: new Map() };
    const reject = (field: Field, { reason }: Refusal) => this.problems.push(`${id}.${field.name}: ${reason}`);
    for (const field of fields) {
      const index = ownIndex(field, this.#kinds, this.#taken);
      if (index instanceof Refusal) reject(field, index);
      else if (index) {
        declared.indexes.set(index.name, index);
        this.#indexes.add(index.name, { text: indexMeaning({ kind: index.kind, field: field.name }), where });
      }
      const column = ownColumn(field, this.#kinds, this.#taken);
      if (column instanceof Refusal) reject(field, column);
      else if (column !== undefined) {
        declared.columns.set(column, field.name);
        this.#columns.add(column, { text: columnMeaning(field.name), where });
      }
    }
    return declared;
  }

  /** Adds an index to all types that have its field, if its values fit and everybody may read them. */
  indexAll({ name, type: named, attr: field = name, ...shown }: SiteIndex, types: Iterable<[ContentType, Declared]>) {
    const kind = declaredKind(named);
    const problem =
      kind instanceof Refusal ? kind.reason : (indexNameProblem(name, field, this.#taken) ?? displayProblem(shown));
    if (kind instanceof Refusal || problem !== undefined) {
      this.problems.push(`The index ${JSON.stringify(name)} of the site: ${problem}`);
      return;
    }
    this.#indexes.add(name, { text: indexMeaning({ kind, field }), where: SITE });
    for (const [{ fieldByName }, { indexes }] of types) {
      const own = fieldByName.get(field);
      if (own && isOpen(own) && fitsIndex(this.#kinds, kind, own) && !indexes.has(name))
        indexes.set(name, fieldIndex(name, kind, own, shown));
    }
  }

  /** Adds a column to all types that have its field, if it can be shown and everybody may read it. */
  showAll({ name, attr: field = name }: SiteColumn, types: Iterable<[ContentType, Declared]>) {
    const problem = columnNameProblem(name, field, this.#taken);
    if (problem !== undefined) {
      this.problems.push(`The column ${JSON.stringify(name)} of the site: ${problem}`);
      return;
    }
    this.#columns.add(name, { text: columnMeaning(field), where: SITE });
    for (const [{ fieldByName }, { columns }] of types) {
      const own = fieldByName.get(field);
      if (own && isOpen(own) && this.#kinds.of(own).column) columns.set(name, field);
    }
  }
}

/**
 * The types of a site with the indexes and columns that their fields and the site declare. Throws BadRequest, with all problems, for impossible or
 * contradictory declarations; `tolerant` leaves these out instead.
 */
export function declareCatalog(
  types: ReadonlyMap<string, ContentType>,
  { indexes, columns }: SiteCatalog,
  { catalog: taken, fieldKinds }: { catalog: TakenNames; fieldKinds: FieldKinds },
  tolerant = false,
): Map<string, ContentType> {
  const declarations = new Declarations(taken, fieldKinds);
  const declared = new Map([...types.values()].map((type) => [type, declarations.ofType(type)]));
  for (const index of indexes) declarations.indexAll(index, declared);
  for (const column of columns) declarations.showAll(column, declared);
  if (declarations.problems.length > 0 && !tolerant) throw new BadRequest(declarations.problems.join(' '));
  const names = new Set([...declared.values()].flatMap((own) => [...own.columns.keys()]));
  const complete = (type: ContentType): ContentType => {
    const own = declared.get(type);
    return {
      ...type,
      indexes: [...(own?.indexes.values() ?? [])],
      columns: new Map([...names].map((name) => [name, own?.columns.get(name) ?? null])),
    };
  };
  return new Map([...types].map(([id, type]) => [id, complete(type)]));
}
