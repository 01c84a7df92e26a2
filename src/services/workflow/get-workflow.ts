import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { workflow } from '../../serializer/components/workflow.ts';
import { defineService, ok } from '../service.ts';

const Workflow = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  history: Type.Array(Type.Object({}, { additionalProperties: true })),
  state: Type.Object({ id: Type.Union([Type.String(), Type.Null()]), title: Type.String() }),
  transitions: Type.Array(Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() })),
});

/** GET `@workflow`: state, history and transitions of content. */
export const getWorkflow = defineService({
  name: '@workflow',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'State, history and the transitions that the caller may make.',
  responses: { 200: { description: 'The state of the content.', schema: Workflow } },
  run: async (context) => ok(await workflow.expand(context, context.resolved)),
});
