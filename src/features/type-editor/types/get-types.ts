import { Type } from 'typebox';
import { VIEW } from '../../../security/permissions.ts';
import { types } from '../../../serializer/components/types.ts';
import { defineService, ok } from '../../../services/service.ts';

const AddableType = Type.Object({
  '@id': Type.String(),
  id: Type.String(),
  title: Type.String(),
  addable: Type.Boolean(),
  immediately_addable: Type.Boolean(),
});

/** GET `@types`: the content types, and which of them may be added here. */
export const getTypes = defineService({
  name: '@types',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The content types, and which of them the caller may add here. For users who are logged in.',
  responses: {
    200: { description: 'The types by title.', schema: Type.Array(AddableType) },
    401: { description: 'Nobody is logged in.' },
  },
  run: async (context) => ok(await types.expand(context, context.resolved)),
});
