import { ACCESS_VERSIONS } from '../../content/history-permissions.ts';
import { ContentObject, RepresentationQuery } from '../content/content-schemas.ts';
import { defineService, ok } from '../service.ts';
import { mayReadVersions } from './may-read-versions.ts';
import { representVersion } from './represent-version.ts';

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
  run: async (call) => ok(await representVersion(call, call.rest[0] ?? '')),
});
