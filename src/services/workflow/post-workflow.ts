import { Type } from 'typebox';
import { readTransitionBody, transitionContent } from '../../content/transition-content.ts';
import { BadRequest } from '../../lib/errors.ts';
import { VIEW } from '../../security/permissions.ts';
import { documented } from '../openapi/documented.ts';
import { defineService, ok } from '../service.ts';

const Instant = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

/** POST `@workflow/<transition>`: changes the state of content. */
export const postWorkflow = defineService({
  name: '@workflow',
  method: 'POST',
  context: 'content',
  permission: VIEW,
  summary: 'Moves content along a transition of its workflow.',
  rest: ['', '{transition}'],
  body: Type.Object(
    {
      comment: Type.Optional(documented(Type.String({ description: 'A comment for the history.' }))),
      include_children: Type.Optional(
        documented(Type.Boolean({ description: 'Whether everything below follows.', default: false })),
      ),
      effective: Type.Optional(documented(Instant('Publishing date; null for the one that it has, or now.'))),
      expires: Type.Optional(documented(Instant('Expiry date; null for the one that it has.'))),
    },
    { additionalProperties: true, examples: [{ comment: 'Checked.', include_children: true }] },
  ),
  responses: {
    200: {
      description: 'The entry that the history got.',
      schema: Type.Object({
        action: Type.String({ description: 'Id of the transition.' }),
        actor: Type.String({ description: 'Id of the user.' }),
        comments: Type.String(),
        review_state: Type.String({ description: 'The new state.' }),
        time: Type.String({ format: 'date-time' }),
        title: Type.String({ description: 'Title of the new state.' }),
      }),
    },
  },
  async run({ kernel, caller, site, resolved, rest, body }) {
    const [transition] = rest;
    if (transition === undefined) throw new BadRequest('Missing transition');
    const entry = await transitionContent(kernel, {
      caller,
      path: resolved.object.path,
      transition,
      ...readTransitionBody(body),
    });
    const workflow = site.workflows.get(entry.workflow);
    return ok({
      action: entry.action,
      actor: entry.actor,
      comments: entry.comments,
      review_state: entry.reviewState,
      time: entry.at.toISOString(),
      title: workflow?.states[entry.reviewState]?.title ?? entry.reviewState,
    });
  },
});
