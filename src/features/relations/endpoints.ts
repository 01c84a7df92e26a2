import { Type } from 'typebox';
import {
  defineService,
  has,
  indexing,
  MANAGE_PORTAL,
  noContent,
  ok,
  type RequestContext,
  type ResultOf,
  requests,
  schemas,
  VIEW,
} from '#core';
import { BadRequest } from '#lib/errors';
import { changeRelations, type RelationFailure, removeRelations } from './relation-change.ts';
import {
  findEnds,
  listBroken,
  listRelations,
  RelationsByName,
  RelationsQuery,
  relationStats,
} from './relation-list.ts';

/** Maximum number of relations in one request. */
const MAX_ITEMS = 1000;

const Relation = Type.Object({
  source: Type.String({ minLength: 1, description: 'Path or UID of the content that has the relation.' }),
  target: Type.String({ minLength: 1, description: 'Path or UID of the content that it leads to.' }),
  relation: Type.String({ minLength: 1, description: 'Name of the relation field of the source.' }),
});

/** The response to a change that was only partly possible. */
const Failure = { type: Type.Literal('Unprocessable Content'), message: Type.String() };
const Unprocessable = Type.Object({
  ...Failure,
  error: Type.Object({
    ...Failure,
    failed: Type.Array(Type.Tuple([Relation, Type.String()]), {
      description: 'Pairs of a relation and why it was not possible.',
    }),
  }),
});

const CHANGE_RESPONSES = {
  204: { description: 'All are changed.' },
  422: { description: 'Some were not possible; the others are done.', schema: Unprocessable },
};

/** 204, or 422 with the relations that could not be changed (plone.restapi). */
function changeResponse(
  failures: readonly RelationFailure[],
  doing: 'creating' | 'deleting',
): ResultOf<typeof CHANGE_RESPONSES> {
  if (failures.length === 0) return noContent();
  const text = { type: 'Unprocessable Content', message: `Failed on ${doing} relations` } as const;
  const failed = failures.map(({ item, reason }): [typeof item, string] => [
    item,
    `Failed on ${doing} a relation. ${reason}`,
  ]);
  return { status: 422, body: { ...text, error: { ...text, failed } } };
}

/** GET `@relations`: relations between content, as far as the caller may view both ends. */
export const getRelations = defineService({
  name: '@relations',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'Numbers of relations by name; with a query the relations that fit, or the broken ones.',
  query: RelationsQuery,
  responses: {
    200: {
      description: 'Numbers of relations, or relations by name.',
      schema: Type.Object({
        '@id': schemas.Address,
        stats: Type.Optional(Type.Record(Type.String(), Type.Integer())),
        broken: Type.Optional(Type.Record(Type.String(), Type.Integer())),
        relations: Type.Optional(RelationsByName),
      }),
    },
    204: { description: 'No relation is broken.' },
    404: { description: 'There is no such source or target.' },
  },
  async run(context) {
    const { base, query, searchParams } = context;
    if (!Object.keys(RelationsQuery.properties).some((name) => searchParams.has(name)))
      return ok({ '@id': `${base}/@relations`, ...(await relationStats(context)) });
    const url = `${base}/@relations?${searchParams}`;
    if (!query.onlyBroken) return ok({ '@id': url, relations: await listRelations(context, query) });
    const relations = await listBroken(context, query);
    return Object.keys(relations).length === 0 ? noContent() : ok({ '@id': url, relations });
  },
});

/** Only users who are logged in change relations; the permission to modify is checked for each source. */
const mayChange = (context: RequestContext): boolean =>
  requests.isLoggedIn(context) && has(context.site, context.caller, context.resolved, VIEW);

/** POST `@relations`: adds relations. */
export const postRelations = defineService({
  name: '@relations',
  method: 'POST',
  context: 'site',
  permission: VIEW,
  checkPermission: mayChange,
  summary: 'Adds relations: the relation fields of the sources get the targets. Needs the right to modify each source.',
  body: Type.Object(
    { items: Type.Array(Relation, { minItems: 1, maxItems: MAX_ITEMS }) },
    { additionalProperties: true, examples: [{ items: [{ source: '/a', target: '/b', relation: 'relatedItems' }] }] },
  ),
  responses: {
    ...CHANGE_RESPONSES,
    204: { description: 'Related.' },
  },
  async run(context) {
    const failed = await changeRelations(context.kernel, {
      site: context.site,
      caller: context.caller,
      items: context.body.items,
      change: 'add',
      bases: requests.basesOf(context),
    });
    return changeResponse(failed, 'creating');
  },
});

/** POST `@relations/rebuild`: rebuilds the index of references. */
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
  responses: { 204: { description: 'Built.' }, 404: { description: 'There is no such action.' } },
  async run({ kernel }) {
    await indexing.reindexSite(kernel);
    return noContent();
  },
});

/**
 * The filter of a body without `items`, with the ends as UIDs. Throws BadRequest when it is empty, NotFound for unknown
 * ends.
 */
async function findFilter(
  context: RequestContext,
  { source, target, relation }: { source?: string; target?: string; relation?: string },
) {
  if (source === undefined && target === undefined && relation === undefined)
    throw new BadRequest('Give "items", or one of "source", "target" and "relation".');
  return { ...(await findEnds(context, { source, target })), relation };
}

/** DELETE `@relations`: removes relations. */
export const deleteRelations = defineService({
  name: '@relations',
  method: 'DELETE',
  context: 'site',
  permission: VIEW,
  checkPermission: mayChange,
  summary: 'Removes the relations that are listed, or all of a source, a target, a name, or what is given of them.',
  body: Type.Object(
    {
      items: Type.Optional(Type.Array(Relation, { maxItems: MAX_ITEMS })),
      source: Type.Optional(Type.String({ minLength: 1, description: 'Path or UID.' })),
      target: Type.Optional(Type.String({ minLength: 1, description: 'Path or UID.' })),
      relation: Type.Optional(Type.String({ minLength: 1, description: 'Name of the relation.' })),
    },
    { additionalProperties: true, examples: [{ source: '/a', relation: 'relatedItems' }] },
  ),
  responses: {
    ...CHANGE_RESPONSES,
    204: { description: 'Removed.' },
    404: { description: 'There is no such source or target.' },
  },
  async run(context) {
    const { kernel, site, caller, body } = context;
    const failed =
      body.items === undefined
        ? await removeRelations(kernel, caller, await findFilter(context, body))
        : await changeRelations(kernel, {
            site,
            caller,
            items: body.items,
            change: 'remove',
            bases: requests.basesOf(context),
          });
    return changeResponse(failed, 'deleting');
  },
});
