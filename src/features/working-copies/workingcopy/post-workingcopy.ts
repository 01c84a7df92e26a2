import { Type } from 'typebox';
import { urlOf } from '../../../serializer/render-context.ts';
import { headerOf, LOCK_TOKEN } from '../../../services/content/represent-path.ts';
import { defineService } from '../../../services/service.ts';
import { checkOut } from '../working-copy-check-out.ts';
import { CHECK_OUT } from '../working-copy-rights.ts';

/** POST `@workingcopy`: checks content out. */
export const postWorkingcopy = defineService({
  name: '@workingcopy',
  method: 'POST',
  context: 'content',
  permission: CHECK_OUT,
  summary: 'Makes a working copy of content beside it, and locks the content while the copy is there.',
  headers: LOCK_TOKEN,
  responses: {
    201: {
      description: 'Where the working copy is.',
      schema: Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() }),
      headers: { Location: { description: 'Address of the content that it is a copy of.' } },
    },
  },
  async run(context) {
    const { kernel, caller, base, resolved } = context;
    const { path } = resolved.object;
    const copy = await checkOut(kernel, { caller, path, lockToken: headerOf(context, 'lock-token') });
    return {
      status: 201,
      headers: { Location: urlOf(base, path) },
      body: { '@id': urlOf(base, copy.path), title: copy.title },
    };
  },
});
