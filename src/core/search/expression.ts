/** SQL over the content `c` and its row `k` of the catalog, with the tables that it reads. Conditions and sort keys are expressions. */
export type Expression = {
  sql: string;
  /** The tables whose columns it reads. */
  of: 'content' | 'catalog' | 'both' | 'neither';
  /** True if it reads a column of content whose values few objects share. */
  narrow: boolean;
  /** True if the value of an object depends only on rows with the number of this object, although the SQL looks as if it read others. */
  own?: boolean;
};

/** Makes an expression of rows that have the number of the object. */
export const ofOwnRows = (expression: Expression): Expression => ({ ...expression, own: true });

/** Subqueries, which may read rows of other objects, and functions whose values change by themselves. */
const OF_OTHERS =
  /\b(?:select|now|random|gen_random_uuid|timeofday|nextval|local(?:time|timestamp)|current_\w+|\w+_timestamp)\b/i;

/** Says if the value of an object changes only with the rows of this object. */
export const isOwn = ({ own, sql }: Expression): boolean => own ?? !OF_OTHERS.test(sql);

/** Makes an expression of columns of content whose values few objects share. */
export const ofContent = (sql: string): Expression => ({ sql, of: 'content', narrow: true });

/** Makes an expression of columns of content whose values many objects share, such as the type. */
export const ofSharedContent = (sql: string): Expression => ({ sql, of: 'content', narrow: false });

/** Makes an expression of columns of the catalog. */
export const ofCatalog = (sql: string): Expression => ({ sql, of: 'catalog', narrow: false });

/** Makes an expression of no column. */
export const ofNeither = (sql: string): Expression => ({ sql, of: 'neither', narrow: false });

/** The expression reads columns of content. */
export const readsContent = ({ of }: Expression): boolean => of === 'content' || of === 'both';

/** The expression reads columns of the catalog. */
export const readsCatalog = ({ of }: Expression): boolean => of === 'catalog' || of === 'both';

/** Makes an expression that contains others. */
export function madeOf(parts: readonly Expression[], sql: string): Expression {
  const [content, catalog] = [parts.some(readsContent), parts.some(readsCatalog)];
  const of = content && catalog ? 'both' : content ? 'content' : catalog ? 'catalog' : 'neither';
  const own = parts.length > 0 && parts.every(isOwn) ? { own: true } : {};
  return { sql, of, narrow: parts.some(({ narrow }) => narrow), ...own };
}

/** A condition on a column; undefined without one. */
export const conditionOn = (column: Expression, sql: string | undefined): Expression | undefined =>
  sql === undefined ? undefined : { ...column, sql };

/** Joins texts of conditions that must all hold; undefined for none. */
export function allOf(conditions: readonly (string | undefined)[]): string | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? undefined : given.map((condition) => `(${condition})`).join(' and ');
}

/** Joins conditions that must all hold; undefined for none. */
export function everyOf(conditions: readonly (Expression | undefined)[]): Expression | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return conditionOn(madeOf(given, ''), allOf(given.map(({ sql }) => sql)));
}
