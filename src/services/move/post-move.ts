import { moveContent } from '../../content/move-content.ts';
import { readSources } from '../../content/relocate.ts';
import { ADD } from '../../security/permissions.ts';
import { headerOf, LOCK_TOKEN } from '../content/represent-path.ts';
import { mayAddHere, RelocationBody, RelocationResponse, relocationJson, sourceBases } from '../copy/relocation.ts';
import { defineService, ok } from '../service.ts';

/** POST `@move` to a container: moves content into it. */
export const postMove = defineService({
  name: '@move',
  method: 'POST',
  context: 'folderish',
  permission: ADD,
  checkPermission: mayAddHere,
  summary: 'Moves content with everything below it into the container. Old addresses redirect to the new ones.',
  headers: LOCK_TOKEN,
  body: RelocationBody,
  responses: { 200: { description: 'Where each object is now.', schema: RelocationResponse } },
  async run(context) {
    const moved = await moveContent(context.kernel, {
      caller: context.caller,
      target: context.resolved.object.path,
      sources: readSources(context.body.source, sourceBases(context)),
      lockToken: headerOf(context, 'lock-token'),
    });
    return ok(relocationJson(context, moved));
  },
});
