import { Type } from 'typebox';
import { relationEnds } from '../../content/relation-ends.ts';
import { BadRequest, NotFound } from '../../lib/errors.ts';
import { VIEW } from '../../security/permissions.ts';
import { basesOf } from '../../services/content/represent-path.ts';
import { defineService, type RequestContext } from '../../services/service.ts';
import { readItems } from './read-items.ts';
import { changeRelations, removeRelations } from './relation-change.ts';
import { changeResponse } from './relation-json.ts';
import { MOST_ITEMS, Relation, Unprocessable } from './relation-schemas.ts';

/** The UIDs of the ends and the name that a body without items gives. Throws BadRequest without any, NotFound for unknown ends. */
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
