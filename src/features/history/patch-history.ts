import { Type } from 'typebox';
import { REVERT_VERSIONS } from '../../content/history-permissions.ts';
import { has } from '../../content/permissions.ts';
import { versionNumber } from '../../content/version-number.ts';
import { BadRequest } from '../../lib/errors.ts';
import { MODIFY, VIEW } from '../../security/permissions.ts';
import { headerOf, LOCK_TOKEN } from '../../services/content/represent-path.ts';
import { documented } from '../../services/openapi/documented.ts';
import { defineService, ok } from '../../services/service.ts';
import { revertContent } from './revert-content.ts';

/** PATCH `@history`: goes back to a version. */
export const patchHistory = defineService({
  name: '@history',
  method: 'PATCH',
  context: 'content',
  permission: REVERT_VERSIONS,
  checkPermission: ({ site, caller, resolved }) =>
    [VIEW, REVERT_VERSIONS, MODIFY].every((permission) => has(site, caller, resolved, permission)),
  summary: 'Gives content the values of a former version, which makes a new one.',
  headers: LOCK_TOKEN,
  body: Type.Object(
    {
      version: Type.Optional(
        documented(Type.Integer({ description: 'Number of the version.', minimum: 0 }), { required: true }),
      ),
    },
    { examples: [{ version: 0 }] },
  ),
  responses: {
    200: {
      description: 'The content has the values of the version.',
      schema: Type.Object({ message: Type.String() }),
    },
  },
  async run(context) {
    const { kernel, caller, resolved, body } = context;
    const version = versionNumber(body.version);
    if (version === undefined) throw new BadRequest('"version" must be the number of a version.');
    const lockToken = headerOf(context, 'lock-token');
    const title = await revertContent(kernel, { caller, path: resolved.object.path, version, lockToken });
    return ok({ message: `${title} has been reverted to revision ${version}.` });
  },
});
