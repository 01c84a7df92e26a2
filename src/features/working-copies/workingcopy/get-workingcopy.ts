import { Type } from 'typebox';
import { VIEW } from '../../../security/permissions.ts';
import { defineService, ok } from '../../../services/service.ts';
import { workingCopies } from '../working-copies.ts';

const NullOr = (schema: ReturnType<typeof Type.Object>) => Type.Union([schema, Type.Null()]);

/** GET `@workingcopy`: both sides of what is checked out, seen from either. */
export const getWorkingcopy = defineService({
  name: '@workingcopy',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Names the working copy of content, or the content that it is the working copy of.',
  responses: {
    200: {
      description: 'Both are null where nothing is checked out, and for who may neither modify nor check out.',
      schema: Type.Object({
        working_copy: NullOr(
          Type.Object({
            '@id': Type.String({ format: 'uri' }),
            title: Type.String(),
            created: Type.String({ format: 'date-time', description: 'When it was checked out.' }),
            creator_name: Type.String(),
            creator_url: Type.String({ format: 'uri' }),
          }),
        ),
        working_copy_of: NullOr(Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() })),
      }),
    },
  },
  run: async (context) => ok(workingCopies(context, context.resolved)),
});
