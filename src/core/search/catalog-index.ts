import type { ContentType, FieldIndex } from '../types/content-type.ts';
import type { Expression } from './expression.ts';
import type { Constraint, SqlParameters } from './query.ts';
import type { Viewers } from './statements/view-rule.ts';

/** The context of the conditions of a query. */
export type QueryContext = {
  types: ReadonlyMap<string, ContentType>;
  /** The indexes that queries may name. */
  catalog: { find(name: string): CatalogIndex | undefined };
  /** Text search configurations of the searched languages, see `stemmerFor`. */
  stemmers: readonly string[];
  /** Weights of words by their part of the object, from 0 to 1; PostgreSQL's weights unless given. */
  weights?: Weights | undefined;
  /**
   * True if words are looked up in their index for any number of results: the statement hides the searched words from the planner. Otherwise the
   * database reads all texts when it expects many results, which takes a hundred times longer.
   */
  throughIndex?: boolean;
};

/** Weights of words in files, texts, descriptions and titles, in the order of `ts_rank`. */
export type Weights = readonly [files: number, text: number, description: number, title: number];

/** The context and the viewers of the conditions of one query. */
type ConditionContext = QueryContext & Viewers;

/** The parts of an object from which the value of a declared index is made. */
export type IndexSource = { type: string; title: string; description: string; fields: Record<string, unknown> };

/** The value by which results are counted: an expression of a text, or with `several` of a list of texts; null is not counted. */
export type CountedValue = { expression: Expression; several?: boolean };

/** The description of an index for the editor of queries. `field` has the values to choose from, if any. */
export type OfferedIndex = Omit<FieldIndex, 'name' | 'field'> & { field?: FieldIndex['field'] };

/**
 * A name that queries may use. Values and names of clients come in as parameters only.
 */
export type CatalogIndex = {
  name: string;
  /** The condition that a constraint means; undefined for none. Throws BadRequest for values that the index cannot have. */
  condition?(constraint: Constraint, parameters: SqlParameters, context: ConditionContext): Expression | undefined;
  /** The expression to sort by. Objects without a value come last, unless `lacking` says otherwise. */
  sort?(parameters: SqlParameters): Expression;
  /**
   * Says that all objects have the sort value (`never`), or that objects without a value have the place of the `least` value. In both cases an index
   * of the database, if any, has the order of results.
   */
  lacking?: 'never' | 'least';
  /** The value by which results are counted (`facet_fields`), for indexes with few values; the year of a date. */
  counted?(parameters: SqlParameters): CountedValue;
  /** The value to store in the catalog, for indexes without a column; undefined for none. */
  store?(source: IndexSource): unknown;
  /** True for an index of words, which few objects have. */
  words?: boolean;
  /** The description for the editor of queries; undefined for indexes of the core, which the editor has already. */
  offered?: OfferedIndex;
};
