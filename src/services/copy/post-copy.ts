import { copyContent } from '../../content/copy-content.ts';
import { readSources } from '../../content/relocate.ts';
import { ADD } from '../../security/permissions.ts';
import { defineService, ok } from '../service.ts';
import { mayAddHere, RelocationBody, RelocationResponse, relocationJson, sourceBases } from './relocation.ts';

/** POST `@copy` to a container: copies content into it. */
export const postCopy = defineService({
  name: '@copy',
  method: 'POST',
  context: 'folderish',
  permission: ADD,
  checkPermission: mayAddHere,
  summary: 'Copies content with everything below it into the container. Sources that do not exist are passed over.',
  body: RelocationBody,
  responses: { 200: { description: 'Where each copy is.', schema: RelocationResponse } },
  async run(context) {
    const copied = await copyContent(context.kernel, {
      caller: context.caller,
      target: context.resolved.object.path,
      sources: readSources(context.body.source, sourceBases(context)),
    });
    return ok(relocationJson(context, copied));
  },
});
