import { moveContent } from '../../content/move-content.ts';
import { readSources } from '../../content/relocate-sources.ts';
import { ADD } from '../../security/permissions.ts';
import { headerOf, LOCK_TOKEN } from '../content/represent-path.ts';
import { mayAddHere, RelocationAnswer, RelocationBody, relocationJson, sourceBases } from '../copy/relocation.ts';
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
  responses: { 200: { description: 'Where each object is now.', schema: RelocationAnswer } },
  async run(call) {
    const moved = await moveContent(call.kernel, {
      caller: call.caller,
      target: call.located.object.path,
      sources: readSources(call.body.source, sourceBases(call)),
      lockToken: headerOf(call, 'lock-token'),
    });
    return ok(relocationJson(call, moved));
  },
});
