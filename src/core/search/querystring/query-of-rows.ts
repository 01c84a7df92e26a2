import type { QueryContext } from '../catalog-index.ts';
import type { CatalogQuery, Constraint, PathScope } from '../query.ts';
import { uidIn } from './listing-path.ts';
import { type ListingContext, meaningOf, type Row, valuesOf } from './operations.ts';

type Named = { index: string; constraint: Constraint };

/** Merges a beginning and an end on one index into a range: the same time of a recurring event must lie between both. */
function merged(constraints: readonly Named[]): Named[] {
  const result: Named[] = [];
  for (const { index, constraint } of constraints) {
    const opposite = constraint.range === 'min' ? 'max' : constraint.range === 'max' ? 'min' : undefined;
    const at = result.findIndex((other) => opposite && other.index === index && other.constraint.range === opposite);
    const other = result[at];
    if (other) {
      const values = [...other.constraint.values, ...constraint.values];
      result[at] = { index, constraint: { ...constraint, values, range: 'min:max' } };
    } else result.push({ index, constraint });
  }
  return result;
}

/** The UIDs and paths in the conditions of a query, which must be looked up before the query is parsed. */
export function referencesIn(rows: readonly Row[]): { uids: string[]; paths: string[] } {
  const texts = (wanted: (row: Row) => boolean) =>
    rows.filter(wanted).flatMap(({ value }) => valuesOf(value).filter((text) => typeof text === 'string'));
  return {
    uids: texts(({ index }) => index === 'path').flatMap((text) => uidIn(text) ?? []),
    paths: texts(({ operation }) => operation === 'reference.is').filter((text) => text.startsWith('/')),
  };
}

/**
 * The conditions of a listing as a query of the catalog: all conditions must hold, but one of the places is enough. Conditions on unknown indexes are
 * ignored; if all indexes are unknown, everything is found (plone.app.querystring). Undefined when the conditions on known indexes have no values,
 * which lists nothing. Throws BadRequest.
 */
export function queryOfRows(
  rows: readonly Row[],
  catalog: QueryContext['catalog'],
  context: ListingContext,
): Pick<CatalogQuery, 'constraints' | 'paths'> | undefined {
  const constraints: Named[] = [];
  const paths: PathScope[] = [];
  let placed = false;
  let known = false;
  for (const row of rows) {
    const meaning = meaningOf(row, context);
    if (!catalog.find(row.index)) continue;
    known = true;
    if (!meaning) continue;
    if ('constraint' in meaning) {
      if (row.index !== 'path') constraints.push({ index: row.index, constraint: meaning.constraint });
    } else if (row.index === 'path') {
      placed = true;
      for (const path of meaning.paths) paths.push(path);
    }
  }
  if (constraints.length === 0 && !placed) return known ? undefined : { constraints: [] };
  return { constraints: merged(constraints), ...(placed ? { paths } : {}) };
}
