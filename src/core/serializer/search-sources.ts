import type { JsonObject } from '../../lib/json-object.ts';
import { Slot } from '../../lib/slots.ts';
import type { CatalogQuery } from '../search/query.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { RenderContext } from './render-context.ts';
import type { FoundPage } from './result-shapes.ts';
import type { ResultsRequest } from './search-results.ts';

/** Source of search results that are not content, such as comments, for searches whose only condition is their type. */
export type SearchSource = {
  /** The value of `portal_type` for which this source is searched. */
  type: string;
  /** Name of the type in criteria, in English. */
  title: string;
  /** Returns `items`, `items_total` and `batching` of the results that the caller may view. */
  find(context: RenderContext, resolved: ResolvedNode, request: ResultsRequest): Promise<FoundPage>;
};

/** Columns of listings whose values are not in the object itself; the values are loaded for all results of a page at once. */
export type LoadedColumns = {
  names: readonly string[];
  /** Values by object and name, with a bounded number of statements. Objects without values may be left out. */
  load(context: RenderContext, oids: readonly number[]): Promise<ReadonlyMap<number, JsonObject>>;
  /** The values for an object that `load` leaves out. */
  missing: JsonObject;
};

/** Sources and columns that the features of a kernel add to searches. */
export const SEARCH_SOURCES = new Slot<readonly SearchSource[]>('search sources');
export const LOADED_COLUMNS = new Slot<readonly LoadedColumns[]>('loaded columns');

/** The source for a query; undefined for queries about content. */
export function sourceOf({ kernel }: RenderContext, { constraints }: CatalogQuery): SearchSource | undefined {
  const types = constraints.find(({ index }) => index === 'portal_type')?.constraint.values ?? [];
  if (types.length === 0) return undefined;
  return kernel.slots.get(SEARCH_SOURCES).find(({ type }) => types.every((value) => value === type));
}

/**
 * Loads the columns that a request names, for each of the objects. Runs no statement for a request without such columns. Returns a function that
 * adds those of an object to what a list has of it, which keeps its own members.
 */
export async function loadColumns(
  context: RenderContext,
  oids: readonly number[],
): Promise<<Listed extends JsonObject>(listed: Listed, oid: number) => Listed> {
  const { kernel, metadataFields } = context;
  const isWanted = (name: string) => metadataFields.includes('_all') || metadataFields.includes(name);
  const loaded: { names: string[]; missing: JsonObject; values: ReadonlyMap<number, JsonObject> }[] = [];
  for (const { names, missing, load } of kernel.slots.get(LOADED_COLUMNS)) {
    const wanted = names.filter(isWanted);
    if (wanted.length > 0) loaded.push({ names: wanted, missing, values: await load(context, oids) });
  }
  return <Listed extends JsonObject>(listed: Listed, oid: number) => {
    const columns: JsonObject = listed;
    for (const { names, missing, values } of loaded) {
      const found = values.get(oid) ?? missing;
      for (const name of names) if (!Object.hasOwn(columns, name)) columns[name] = found[name];
    }
    return listed;
  };
}
