import { Type } from 'typebox';
import { MAX_COMMENT_LENGTH, transitionContent } from '../content/transition-content.ts';
import { VIEW } from '../security/permissions.ts';
import { WorkflowEntry, workflow } from '../serializer/components/workflow.ts';
import { ok } from './response.ts';
import { Instant, Nullable, Text } from './schemas.ts';
import { defineService, type Service } from './service.ts';

/** GET `@workflow`: state, history and transitions of content. */
const getWorkflow = defineService({
  name: '@workflow',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'State, history and the transitions that the caller may make.',
  responses: { 200: { description: 'The state of the content.', schema: workflow.schema } },
  run: async (context) => ok(await workflow.expand(context, context.resolved)),
});

/** POST `@workflow/<transition>`: changes the state of content. */
const postWorkflow = defineService({
  name: '@workflow',
  method: 'POST',
  scope: 'write',
  context: 'content',
  permission: VIEW,
  summary: 'Moves content along a transition of its workflow.',
  rest: ['', '{transition}'],
  params: Type.Object({
    transition: Type.String({ description: 'Id of the transition.', reject: { required: 'Missing transition' } }),
  }),
  body: Type.Object(
    {
      comment: Text({ description: 'A comment for the history.', maxLength: MAX_COMMENT_LENGTH, default: '' }),
      include_children: Type.Boolean({
        description: 'Whether everything below follows.',
        default: false,
        message: 'must be true or false',
      }),
      effective: Type.Optional(
        Nullable(Instant(), { description: 'Publishing date; null for the one that it has, or now.' }),
      ),
      expires: Type.Optional(Nullable(Instant(), { description: 'Expiry date; null for the one that it has.' })),
    },
    { examples: [{ comment: 'Checked.', include_children: true }] },
  ),
  responses: { 200: { description: 'The entry that the history got.', schema: WorkflowEntry } },
  async run({ kernel, caller, site, resolved, params, body }) {
    const { comment, include_children: includeChildren, effective, expires } = body;
    const entry = await transitionContent(kernel, {
      caller,
      path: resolved.object.path,
      transition: params.transition,
      comment,
      includeChildren,
      ...(effective ? { effective } : {}),
      ...(expires ? { expires } : {}),
    });
    const definition = site.workflows.get(entry.workflow);
    return ok({
      action: entry.action,
      actor: entry.actor,
      comments: entry.comments,
      review_state: entry.reviewState,
      time: entry.at.toISOString(),
      title: definition?.states[entry.reviewState]?.title ?? entry.reviewState,
    });
  },
});

export const workflowServices: Service[] = [getWorkflow, postWorkflow];
