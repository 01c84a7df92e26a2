import { Type } from 'typebox';
import { readTransitionBody, transitionContent } from '../../content/transition-content.ts';
import { BadRequest } from '../../lib/errors.ts';
import { VIEW } from '../../security/permissions.ts';
import { defineService, ok } from '../service.ts';

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
      comment: Type.Optional(Type.Unknown({ description: 'A comment for the history.' })),
      include_children: Type.Optional(Type.Unknown({ description: 'Whether everything below follows.' })),
      effective: Type.Optional(Type.Unknown({ description: 'Publishing date.' })),
      expires: Type.Optional(Type.Unknown({ description: 'Expiry date.' })),
    },
    { additionalProperties: true },
  ),
  responses: { 200: { description: 'The entry that the history got.' } },
  async run({ kernel, caller, site, located, rest, body }) {
    const [transition] = rest;
    if (transition === undefined) throw new BadRequest('Missing transition');
    const entry = await transitionContent(kernel, {
      caller,
      path: located.object.path,
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
