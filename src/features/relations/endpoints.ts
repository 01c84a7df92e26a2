import { Type } from 'typebox';
import { constraint } from '../../catalog/constraint.ts';
import { searchCatalog } from '../../catalog/search-catalog.ts';
import { stemmerFor } from '../../catalog/stemmer.ts';
import { mungeText } from '../../catalog/text-query.ts';
import { reindexSite } from '../../content/reindex-site.ts';
import { relationEnds } from '../../content/relation-ends.ts';
import { BadRequest, NotFound } from '../../lib/errors.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import { MANAGE_PORTAL, VIEW } from '../../security/permissions.ts';
import { integerParameter } from '../../serializer/batch.ts';
import { booleanParameter } from '../../serializer/item-options.ts';
import { basesOf } from '../../services/content/represent-path.ts';
import { documentedQuery } from '../../services/openapi/documented.ts';
import { defineService, noContent, ok, type RequestContext, type ServiceResponse } from '../../services/service.ts';
import { panelSettings } from '../../site/panel.ts';
import { languagePanel } from '../../site/panels/languages.ts';
import { changeRelations, type RelationItem, relationField, removeRelations } from './relation-change.ts';
import { brokenJson, changeResponse, pairsJson } from './relation-json.ts';
import { brokenRelations, countRelations, relationPairs } from './statements.ts';

/** Relations in one request. */
const MOST_ITEMS = 1000;

const Relation = Type.Object({
  source: Type.String({ minLength: 1, description: 'Path or UID of the content that has the relation.' }),
  target: Type.String({ minLength: 1, description: 'Path or UID of the content that it leads to.' }),
  relation: Type.String({ minLength: 1, description: 'Name of the relation field of the source.' }),
});

/** The answer to a change of which a part was not possible. */
const Unprocessable = Type.Object({
  error: Type.Object({
    type: Type.Literal('Unprocessable Content'),
    message: Type.String(),
    failed: Type.Array(Type.Array(Type.Unknown()), { description: 'Pairs of a relation and why it was not possible.' }),
  }),
});

const isItem = (value: unknown): value is RelationItem =>
  isJsonObject(value) && [value.source, value.target, value.relation].every((part) => typeof part === 'string');

/** The relations of a body that its schema has let pass. */
const readItems = (value: unknown): RelationItem[] => (Array.isArray(value) ? value.filter(isItem) : []);

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
      stemmers: [stemmerFor(panelSettings(site, languagePanel).default_language)],
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
  query: documentedQuery(
    Type.Object({
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
  ),
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

/** POST `@relations`: relates content. */
export const postRelations = defineService({
  name: '@relations',
  method: 'POST',
  context: 'site',
  permission: VIEW,
  summary: 'Adds relations: the relation fields of the sources get the targets. Needs the right to modify each source.',
  body: Type.Object(
    { items: Type.Array(Relation, { minItems: 1, maxItems: MOST_ITEMS }) },
    { additionalProperties: true, examples: [{ items: [{ source: '/a', target: '/b', relation: 'relatedItems' }] }] },
  ),
  responses: {
    204: { description: 'Related.' },
    422: { description: 'Some were not possible; the others are done.', schema: Unprocessable },
  },
  async run(context) {
    const items = readItems(context.body.items);
    const failed = await changeRelations(context.kernel, {
      caller: context.caller,
      items,
      change: 'add',
      bases: basesOf(context),
    });
    return changeResponse(failed, 'creating');
  },
});

/** POST `@relations/rebuild`: makes the index of references anew. */
export const postRebuild = defineService({
  name: '@relations',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Builds the relations of the whole site anew from its content, and the catalog with them.',
  rest: ['rebuild'],
  body: Type.Object(
    { flush: Type.Optional(Type.Unknown({ description: 'Changes nothing here: there are no other ids to renew.' })) },
    { additionalProperties: true, examples: [{ flush: 1 }] },
  ),
  responses: { 204: { description: 'Built.' }, 404: { description: 'The action is not `rebuild`.' } },
  async run({ kernel, rest: [action] }) {
    if (action !== 'rebuild') throw new NotFound(`/@relations/${action}`);
    await reindexSite(kernel);
    return noContent();
  },
});

/**
 * The UIDs of the ends and the name that a body without items gives. Throws BadRequest without any, NotFound for
 * unknown ends.
 */
async function readFilter(context: RequestContext) {
  const { source, target, relation } = context.body;
  const given = [source, target].filter((end) => typeof end === 'string');
  if (given.length === 0 && typeof relation !== 'string')
    throw new BadRequest('Give "items", or one of "source", "target" and "relation".');
  const find = await relationEnds(context.db, context.caller, { references: given, bases: basesOf(context) });
  const uidOf = (end: unknown): string | undefined => {
    if (typeof end !== 'string') return undefined;
    const found = find(end);
    if (!found) throw new NotFound(end);
    return found.uid;
  };
  return {
    source: uidOf(source),
    target: uidOf(target),
    relation: typeof relation === 'string' ? relation : undefined,
  };
}

/** DELETE `@relations`: removes relations. */
export const deleteRelations = defineService({
  name: '@relations',
  method: 'DELETE',
  context: 'site',
  permission: VIEW,
  summary: 'Removes the relations that are listed, or all of a source, a target, a name, or what is given of them.',
  body: Type.Object(
    {
      items: Type.Optional(Type.Array(Relation, { maxItems: MOST_ITEMS })),
      source: Type.Optional(Type.String({ minLength: 1, description: 'Path or UID.' })),
      target: Type.Optional(Type.String({ minLength: 1, description: 'Path or UID.' })),
      relation: Type.Optional(Type.String({ minLength: 1, description: 'Name of the relation.' })),
    },
    { additionalProperties: true, examples: [{ source: '/a', relation: 'relatedItems' }] },
  ),
  responses: {
    204: { description: 'Removed.' },
    404: { description: 'There is no such source or target.' },
    422: { description: 'Some were not possible; the others are done.', schema: Unprocessable },
  },
  async run(context) {
    const { kernel, caller, body } = context;
    const failed =
      body.items === undefined
        ? await removeRelations(kernel, caller, await readFilter(context))
        : await changeRelations(kernel, {
            caller,
            items: readItems(body.items),
            change: 'remove',
            bases: basesOf(context),
          });
    return changeResponse(failed, 'deleting');
  },
});
