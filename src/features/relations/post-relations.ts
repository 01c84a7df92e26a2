import { Type } from 'typebox';
import { reindexSite } from '../../content/reindex-site.ts';
import { NotFound } from '../../lib/errors.ts';
import { MANAGE_PORTAL, VIEW } from '../../security/permissions.ts';
import { basesOf } from '../../services/content/represent-path.ts';
import { defineService, noContent } from '../../services/service.ts';
import { readItems } from './read-items.ts';
import { changeRelations } from './relation-change.ts';
import { changeResponse } from './relation-json.ts';
import { MOST_ITEMS, Relation, Unprocessable } from './relation-schemas.ts';

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
