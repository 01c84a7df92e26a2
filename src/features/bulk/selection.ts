import { type StaticDecode, Type } from 'typebox';
import {
  type CatalogQuery,
  callers,
  publishing,
  type RequestContext,
  references,
  requests,
  schemas,
  searchResults,
} from '#core';
import { BadRequest } from '#lib/errors';
import type { Limits } from './apply.ts';
import type { Selected } from './changes/operation.ts';
import { viewableObjects } from './statements.ts';

/** Objects that one request changes. */
const MAX_OBJECTS = 1000;
/** Maximum number of parameters of a search, and of values of one parameter. */
const MAX_PARAMETERS = 50;
const MAX_VALUES = 100;

const Value = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]);

/** The objects that a request is about. */
export const SelectionBody = {
  items: Type.Optional(
    Type.Array(schemas.Text({ minLength: 1, maxLength: 10_000 }), {
      description: `Addresses, paths or UIDs of up to ${MAX_OBJECTS} objects.`,
      minItems: 1,
      maxItems: MAX_OBJECTS,
      message: `must be a list of 1 to ${MAX_OBJECTS} addresses, paths or UIDs`,
    }),
  ),
  query: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.Union([Value, Type.Array(Value, { maxItems: MAX_VALUES })]), {
      description:
        'Parameters of `@search` by their names, with a text or a list of texts. What they find at or below this object is changed.',
      minProperties: 1,
      maxProperties: MAX_PARAMETERS,
      message: 'must be an object with parameters of @search, such as {"portal_type": "Page"}',
    }),
  ),
};

type Query = NonNullable<StaticDecode<(typeof SelectionBody)['query']>>;

/** Parameters of a search for the order and the number of results. */
const ORDER = new Set(['sort_on', 'sort_order', 'sort_limit']);

const textsOf = (value: Query[string] | undefined): string[] =>
  value === undefined ? [] : [value].flat().map((one) => String(one));

/** The search of a selection. Throws BadRequest for unknown names: an ignored condition would let more objects be changed. */
function searchOf({ site, base, resolved }: RequestContext, query: Query): CatalogQuery {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const [index = ''] = name.split(/[.:]/);
    if (!ORDER.has(name) && !site.catalog.find(index))
      throw new BadRequest(`"query" has "${index.slice(0, 100)}", which is no index of the site. Nothing was done.`);
    for (const text of textsOf(value)) parameters.append(name, text);
  }
  const limit = Number(textsOf(query.sort_limit)[0] ?? 0);
  if (!Number.isSafeInteger(limit) || limit < 0) throw new BadRequest('"sort_limit" must be a whole number from 0 on.');
  const order = { sort_on: textsOf(query.sort_on), sort_order: textsOf(query.sort_order), sort_limit: limit };
  return searchResults.parse(parameters, order, { catalog: site.catalog, path: resolved.object.path, base });
}

/** The objects that a search finds, for the caller. Throws BadRequest for more than can be changed at once. */
async function foundObjects(context: RequestContext, query: Query): Promise<Selected[]> {
  const search = searchOf(context, query);
  const window = { start: 0, size: MAX_OBJECTS + 1 };
  const { items, total } = searchResults.asksForNothing(search)
    ? { items: [], total: 0 }
    : await searchResults.find(context, context.resolved, search, window);
  if (total > MAX_OBJECTS)
    throw new BadRequest(
      `"query" finds ${total} objects, and ${MAX_OBJECTS} can be changed at once. Narrow it, or send "sort_limit": ${MAX_OBJECTS}.`,
    );
  return items
    .map(({ uid, path }) => ({ uid, path }))
    .filter(({ path }) => isWithin(context.authentication.limits, path));
}

/** Says if credentials with limits are valid for a path. */
const isWithin = (limits: Limits | null, path: string): boolean =>
  limits?.paths === undefined || requests.limitProblem({ paths: [...limits.paths] }, { path }) === undefined;

/** A named object that the caller may view, or the text that names none. */
type Named = { object: Selected } | { text: string };

/** The objects that texts name: addresses, paths or UIDs. */
export async function namedObjects(
  context: RequestContext,
  texts: readonly string[],
  bases: readonly string[],
): Promise<Named[]> {
  const { db, site, caller, resolved, authentication } = context;
  const viewer = callers.at(caller, resolved.object.path);
  const named = texts.map((text) => ({ text, reference: references.named([text], bases)[0] }));
  const known = named.flatMap(({ reference }) => reference ?? []);
  const found = await viewableObjects(db, publishing.viewersOf(site, viewer), {
    uids: known.flatMap((reference) => ('uid' in reference ? reference.uid : [])),
    paths: known.flatMap((reference) => ('path' in reference ? reference.path : [])),
  });
  // Content outside of the limits of the credentials counts as missing.
  const objects = found.filter(({ path }) => isWithin(authentication.limits, path));
  const byUid = new Map(objects.map((object) => [object.uid, object]));
  const byPath = new Map(objects.map((object) => [object.path, object]));
  return named.map(({ text, reference }) => {
    const object = reference && ('uid' in reference ? byUid.get(reference.uid) : byPath.get(reference.path));
    return object ? { object } : { text };
  });
}

/** A selection: its objects, containers before their content, and the texts that name none. */
export type Selection = { objects: Selected[]; missing: string[] };

const inOrder = (a: Selected, b: Selected): number => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));

/** The objects of a request. */
export async function selectionOf(
  context: RequestContext,
  { items, query }: { items?: readonly string[] | undefined; query?: Query | undefined },
  bases: readonly string[],
): Promise<Selection> {
  const named = items ? await namedObjects(context, items, bases) : [];
  const found = query ? await foundObjects(context, query) : [];
  const objects = [...named.flatMap((one) => ('object' in one ? one.object : [])), ...found];
  const unique = new Map(objects.map((object) => [object.uid, object]));
  return {
    objects: [...unique.values()].sort(inOrder),
    missing: [...new Set(named.flatMap((one) => ('text' in one ? one.text : [])))],
  };
}
