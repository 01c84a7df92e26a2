import { ACCESS_VERSIONS } from '../../content/history-permissions.ts';
import { ContentObject, RepresentationQuery } from '../../services/content/content-schemas.ts';
import { defineService, ok } from '../../services/service.ts';
import { mayReadVersions } from '../../services/versions/may-read-versions.ts';
import { representVersion } from '../../services/versions/represent-version.ts';

/** GET `@history/<version>`: content as it was. */
export const getHistoryVersion = defineService({
  name: '@history',
  method: 'GET',
  context: 'content',
  permission: ACCESS_VERSIONS,
  checkPermission: mayReadVersions,
  summary:
    'The representation of a former version. Address, state, lock, children and references are the present ones.',
  rest: ['{version}'],
  query: RepresentationQuery,
  responses: { 200: { description: 'The content object as it was.', schema: ContentObject } },
  run: async (context) => ok(await representVersion(context, context.rest[0] ?? '')),
});
