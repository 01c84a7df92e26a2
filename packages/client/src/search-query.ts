import { isObject } from './json.ts';
import type { Query } from './transport.ts';
import type { AnySite, SearchOptions } from './types.ts';

/** The parameters of one constraint, in the form of the server. */
function constraintQuery(index: string, constraint: unknown): Query {
  if (!isObject(constraint) || constraint instanceof Date) return { [index]: constraint };
  const { query, operator, depth, not, min, max } = constraint;
  if (not !== undefined) return { [`${index}.not`]: not };
  if (query !== undefined)
    return { [`${index}.query`]: query, [`${index}.operator`]: operator, [`${index}.depth`]: depth };
  const range = [min === undefined ? [] : ['min'], max === undefined ? [] : ['max']].flat().join(':');
  if (range === '') return {};
  return { [`${index}.query`]: [min, max].filter((end) => end !== undefined), [`${index}.range`]: range };
}

/** The parameters of a search. */
export function searchQuery(constraints: object, options: SearchOptions<AnySite>): Query {
  const { sort, order, columns, facets, facetLimit, highlight, spellcheck, size, start } = options;
  return {
    ...Object.fromEntries(
      Object.entries(constraints).flatMap(([index, constraint]) => Object.entries(constraintQuery(index, constraint))),
    ),
    sort_on: sort,
    sort_order: order,
    metadata_fields: columns,
    facet_fields: facets,
    facet_limit: facetLimit,
    hl: highlight,
    spellcheck,
    b_size: size,
    b_start: start,
  };
}
