/** How the values of a constraint bound a range: from the least, up to the greatest, or between them. */
export type Range = 'min' | 'max' | 'min:max';

/** What one index must have. Values are texts as clients send them, or numbers, booleans and dates. */
export type Constraint = {
  /** One of these; with the operator `and` all of them; with `range` the bounds. Empty for no such condition. */
  values: readonly unknown[];
  operator: 'or' | 'and';
  range?: Range;
  /** None of these. */
  not: readonly unknown[];
};

/** An object and what lies below it. Depth 0 is the object alone, 1 its children, more than that both and all between. */
export type PathScope = { path: string; depth?: number };

/** What is looked for, whoever asks. */
export type CatalogQuery = {
  /** All of them must hold. Names of unknown indexes are passed over. */
  constraints: readonly { index: string; constraint: Constraint }[];
  /** At least one of them; undefined for the whole site. */
  paths?: readonly PathScope[];
  /** None of them. */
  notPaths?: readonly PathScope[];
  /** By the first, then the second, …; without any by relevance, or else in the order of creation. */
  sort: readonly { on: string; descending: boolean }[];
  /** Most results there are, however many fit. */
  limit?: number;
};

/** A constraint with defaults for what is not said. */
export const constraint = (values: readonly unknown[], more: Partial<Constraint> = {}): Constraint => ({
  values,
  operator: 'or',
  not: [],
  ...more,
});
