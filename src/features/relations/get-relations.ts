import { Type } from 'typebox';
import { constraint } from '../../catalog/constraint.ts';
import { searchCatalog } from '../../catalog/search-catalog.ts';
import { stemmerFor } from '../../catalog/stemmer.ts';
import { mungeText } from '../../catalog/text-query.ts';
import { relationEnds } from '../../content/relation-ends.ts';
import { BadRequest, NotFound } from '../../lib/errors.ts';
import { VIEW } from '../../security/permissions.ts';
import { integerParameter } from '../../serializer/batch.ts';
import { booleanParameter } from '../../serializer/item-options.ts';
import { basesOf } from '../../services/content/represent-path.ts';
import { defineService, ok, type RequestContext, type ServiceResponse } from '../../services/service.ts';
import { textSetting } from '../../site/site.ts';
import { relationField } from './relation-change.ts';
import { brokenJson, pairsJson } from './relation-json.ts';
import { brokenRelations, countRelations, relationPairs } from './statements/relation-pairs.ts';

/** Relations of one name in an answer, unless the query says otherwise, and at most. */
const DEFAULT_MAX = 1000;
const MOST = 10_000;
/** Objects that a text search may narrow an end to. */
const MOST_FOUND = 5000;

const PARAMETERS = ['relation', 'source', 'target', 'query_source', 'query_target', 'max', 'onlyBroken'];

const text = ({ searchParams }: RequestContext, name: string): string | undefined =>
  searchParams.get(name)?.trim() || undefined;

/** Relations and broken ones, counted by name. */
async function stats(context: RequestContext): Promise<ServiceResponse> {
  const counts = await countRelations(context.db, context.caller.principals);
  const countsOf = (of: 'whole' | 'broken') =>
    Object.fromEntries(counts.filter((count) => count[of] > 0).map((count) => [count.relation, count[of]]));
  return ok({ '@id': `${context.base}/@relations`, stats: countsOf('whole'), broken: countsOf('broken') });
}

/** The UID of an end; undefined when the query does not name it. Throws NotFound when it names nothing. */
async function endOf(context: RequestContext, name: 'source' | 'target'): Promise<string | undefined> {
  const reference = text(context, name);
  if (reference === undefined) return undefined;
  const find = await relationEnds(context.db, context.caller, { references: [reference], bases: basesOf(context) });
  const found = find(reference);
  if (!found) throw new NotFound(reference);
  return found.uid;
}

/** What `query_source` or `query_target` narrows an end to: a path with a slash in front, else words. */
async function narrowed(context: RequestContext, name: string): Promise<{ path?: string; oids?: number[] }> {
  const value = text(context, name);
  if (value === undefined) return {};
  if (value.startsWith('/')) return { path: value.length > 1 && value.endsWith('/') ? value.slice(0, -1) : value };
  const { db, caller, site } = context;
  const { items, total } = await searchCatalog(
    db,
    { constraints: [{ index: 'SearchableText', constraint: constraint([mungeText(value)]) }], sort: [] },
    { principals: caller.principals, inactive: true, start: 0, size: MOST_FOUND },
    {
      types: site.types,
      catalog: site.catalog,
      stemmers: [stemmerFor(textSetting(site, 'language', 'default_language', 'en'))],
    },
  );
  if (total > MOST_FOUND) throw new BadRequest(`"${name}" finds too much content. Use more words.`);
  return { oids: items.map(({ oid }) => oid) };
}

/** Whether clients may change a relation of this name anywhere, and what its targets are chosen from. */
function aboutRelation({ site }: RequestContext, relation: string) {
  const fields = [...site.types.keys()].flatMap((type) => relationField(site, type, relation) ?? []);
  const query = fields.map(({ widgetOptions }) => widgetOptions?.staticCatalogVocabularyQuery).find(Boolean);
  return { readonly: fields.length === 0, staticCatalogVocabularyQuery: query ?? null };
}

async function list(context: RequestContext): Promise<ServiceResponse> {
  const { db, caller, searchParams, base } = context;
  const relation = text(context, 'relation');
  const max = Math.min(MOST, Math.max(0, integerParameter(searchParams, 'max', DEFAULT_MAX)));
  const { principals } = caller;
  const url = `${base}/@relations?${searchParams}`;
  if (booleanParameter(searchParams, 'onlyBroken', false)) {
    const broken = await brokenRelations(db, { principals, relation }, max);
    return broken.length === 0 ? { status: 204 } : ok({ '@id': url, relations: brokenJson(context, broken) });
  }
  const [source, target] = [await endOf(context, 'source'), await endOf(context, 'target')];
  const [sources, targets] = [await narrowed(context, 'query_source'), await narrowed(context, 'query_target')];
  const pairs = await relationPairs(
    db,
    {
      principals,
      relation,
      source,
      target,
      sourcePath: sources.path,
      targetPath: targets.path,
      sources: sources.oids,
      targets: targets.oids,
    },
    max,
  );
  const relations = await pairsJson(context, pairs);
  if (relation === undefined) return ok({ '@id': url, relations });
  const found = relations[relation] ?? { items: [], items_total: 0 };
  return ok({ '@id': url, relations: { [relation]: { ...found, ...aboutRelation(context, relation) } } });
}

/** GET `@relations`: relations between content, as far as the caller may view both ends. */
export const getRelations = defineService({
  name: '@relations',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'Numbers of relations by name; with a query the relations that fit, or the broken ones.',
  query: Type.Object({
    relation: Type.Optional(Type.String({ description: 'Name of the relation.' })),
    source: Type.Optional(Type.String({ description: 'Path or UID of the source.' })),
    target: Type.Optional(Type.String({ description: 'Path or UID of the target.' })),
    query_source: Type.Optional(Type.String({ description: 'Path that sources are at or below, or words in them.' })),
    query_target: Type.Optional(Type.String({ description: 'Path that targets are at or below, or words in them.' })),
    max: Type.Optional(
      Type.Integer({ description: 'Most relations of each name; `items_total` counts all.', default: DEFAULT_MAX }),
    ),
    onlyBroken: Type.Optional(Type.Boolean({ description: 'Only relations to content that is not there.' })),
  }),
  responses: {
    200: {
      description: 'Numbers of relations, or relations by name.',
      schema: Type.Object(
        {
          '@id': Type.String({ format: 'uri' }),
          stats: Type.Optional(Type.Record(Type.String(), Type.Integer())),
          broken: Type.Optional(Type.Record(Type.String(), Type.Integer())),
          relations: Type.Optional(
            Type.Record(
              Type.String(),
              Type.Object(
                { items: Type.Array(Type.Unknown()), items_total: Type.Integer() },
                { additionalProperties: true },
              ),
            ),
          ),
        },
        { additionalProperties: true },
      ),
    },
    204: { description: 'No relation is broken.' },
    404: { description: 'There is no such source or target.' },
  },
  run: (context) => (PARAMETERS.some((name) => context.searchParams.has(name)) ? list(context) : stats(context)),
});
