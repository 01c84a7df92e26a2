import { Type } from 'typebox';
import { DELEGATE_ROLES } from '../../security/permissions.ts';
import { defineService, ok } from '../../services/service.ts';
import { mayShare } from './may-share.ts';
import { sharingOf } from './sharing-entries.ts';

const Sharing = Type.Object({
  available_roles: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
  entries: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        title: Type.String(),
        type: Type.Union([Type.Literal('user'), Type.Literal('group')]),
        roles: Type.Record(
          Type.String(),
          Type.Union([Type.Boolean(), Type.Literal('acquired'), Type.Literal('global')]),
        ),
      },
      { additionalProperties: true },
    ),
  ),
  inherit: Type.Boolean(),
});

/** GET `@sharing`: who has local roles on content. */
export const getSharing = defineService({
  name: '@sharing',
  method: 'GET',
  context: 'content',
  permission: DELEGATE_ROLES,
  checkPermission: mayShare,
  summary: 'Shows who has which role on content, from here, from a container or for the whole site.',
  query: Type.Object({
    search: Type.Optional(Type.String({ description: 'Adds users and groups with this in their id or name.' })),
  }),
  responses: { 200: { description: 'Roles that can be given, and who has them.', schema: Sharing } },
  run: async ({ db, site, caller, resolved, searchParams }) =>
    ok(await sharingOf(db, { site, caller, resolved, search: searchParams.get('search')?.trim() ?? '' })),
});
