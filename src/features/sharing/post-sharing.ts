import { Type } from 'typebox';
import { DELEGATE_ROLES } from '../../security/permissions.ts';
import { defineService, noContent } from '../../services/service.ts';
import { mayShare } from './may-share.ts';
import { shareContent } from './share-content.ts';
import { readSharingBody } from './sharing-body.ts';

/** POST `@sharing`: gives and takes local roles. */
export const postSharing = defineService({
  name: '@sharing',
  method: 'POST',
  context: 'content',
  permission: DELEGATE_ROLES,
  checkPermission: mayShare,
  summary: 'Gives and takes roles on content and everything below it. Roles that the caller may not delegate stay.',
  body: Type.Object(
    {
      entries: Type.Optional(
        Type.Unknown({ description: 'List of {id, type, roles}; roles is a map of role to true or false.' }),
      ),
      inherit: Type.Optional(Type.Unknown({ description: 'Whether roles given on containers count here.' })),
    },
    { additionalProperties: true },
  ),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A user or group does not exist, or the body cannot be read.' },
  },
  async run({ kernel, caller, resolved, body }) {
    await shareContent(kernel, { caller, path: resolved.object.path, ...readSharingBody(body) });
    return noContent();
  },
});
