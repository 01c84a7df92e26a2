import type { ContentType, FieldIndex } from '../types/content-type.ts';
import type { Expression } from './expression.ts';
import type { Constraint, SqlParameters } from './query.ts';
import type { Viewers } from './statements/view-rule.ts';

/** The context of the conditions of a query. */
export type QueryContext = {
  types: ReadonlyMap<string, ContentType>;
  /** The indexes that queries may name. */
  catalog: { find(name: string): CatalogIndex | undefined };
  /** Text search configurations, see `stemmerFor`: those of the languages that are searched in. */
  stemmers: readonly string[];
  /** How much words count by where they stand, from 0 to 1, where it is not as PostgreSQL has it. */
  weights?: Weights | undefined;
  /**
   * True if words are looked up in their index, however many objects have them: the statement hides the searched words from the planner
   * until it runs. Otherwise the database reads all texts where it expects many, which takes a hundred times longer.
   */
  throughIndex?: boolean;
};

/** Weights of words in files, texts, descriptions and titles, in the order of `ts_rank`. */
export type Weights = readonly [files: number, text: number, description: number, title: number];

/** The context and the viewers of the conditions of one query. */
type ConditionContext = QueryContext & Viewers;

/** The parts of an object that the value of a declared index is made of. */
export type IndexSource = { type: string; title: string; description: string; fields: Record<string, unknown> };

/** The value by which results are counted: an expression of a text, or of a list of texts where `several`; null counts for nothing. */
export type CountedValue = { expression: Expression; several?: boolean };

/** How the editor of queries shows an index. `field` has the values to choose from, where there are such. */
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
   * That all objects have the value that is sorted by (`never` lacking), or that those without one come where the `least` value
   * would. Then an index of the database has the order, where there is one.
   */
  lacking?: 'never' | 'least';
  /** By what results are counted (`facet_fields`), for indexes with few values; of dates the year. */
  counted?(parameters: SqlParameters): CountedValue;
  /** The value to keep in the catalog, for indexes that no column holds; undefined for none. */
  store?(source: IndexSource): unknown;
  /** True for an index of words, which few objects have. */
  words?: boolean;
  /** How the editor of queries shows it; undefined for the core's, which it knows. */
  offered?: OfferedIndex;
};
