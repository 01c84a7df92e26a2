import { Type } from 'typebox';
import { BadRequest, NotFound } from '../../lib/errors.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { basesOf } from '../../services/content/represent-path.ts';
import { documented } from '../../services/openapi/documented.ts';
import { defineService, ok } from '../../services/service.ts';
import { restoreContent } from './recycle-restore.ts';

/** A text of the body; undefined when it is absent, null or empty. */
function textOf(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new BadRequest(`"${name}" must be a string.`);
  return value;
}

/** POST `@recyclebin/<id>/restore`: brings deleted content back. */
export const postRestore = defineService({
  name: '@recyclebin',
  method: 'POST',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'Restores deleted content with everything below it. It gets another id when its own is taken meanwhile.',
  rest: ['{recycle_id}/restore'],
  body: Type.Object(
    {
      target_path: Type.Optional(
        documented(Type.String({ description: 'Path of the folder to restore to; where it was unless given.' })),
      ),
      restore_id: Type.Optional(
        documented(
          Type.String({ description: 'What to restore alone, from the items of the entry; needs `target_path`.' }),
        ),
      ),
    },
    { additionalProperties: true, examples: [{ target_path: '/news' }] },
  ),
  responses: {
    200: {
      description: 'Restored.',
      schema: Type.Object({
        message: Type.String(),
        restored_item: Type.Object({
          '@id': Type.String({ format: 'uri' }),
          '@type': Type.String(),
          id: Type.String(),
          title: Type.String(),
        }),
        status: Type.Literal('success'),
      }),
    },
    400: { description: 'The folder is gone, there is none at the path, or a UID is in use again.' },
    404: { description: 'There is no such entry.' },
  },
  async run(context) {
    const { kernel, caller, base, body } = context;
    const [id = '', action] = context.rest;
    if (action !== 'restore') throw new NotFound(`/@recyclebin/${context.rest.join('/')}`);
    const { path, name, type, title } = await restoreContent(kernel, {
      caller,
      id,
      target: textOf(body, 'target_path'),
      restoreId: textOf(body, 'restore_id'),
      bases: basesOf(context),
    });
    return ok({
      message: `Document ${title} restored successfully`,
      restored_item: { '@id': urlOf(base, path), '@type': type, id: name, title },
      status: 'success',
    });
  },
});
