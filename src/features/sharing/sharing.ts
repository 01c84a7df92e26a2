import { Type } from 'typebox';
import {
  defineService,
  has,
  noContent,
  ok,
  permissions,
  type RequestContext,
  type Service,
  schemas,
  VIEW,
} from '#core';
import { shareContent } from './share-content.ts';
import { Sharing, sharingOf } from './sharing-entries.ts';

/** True if the caller may view the content and delegate roles there. */
const mayShare = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, VIEW) && has(site, caller, resolved, permissions.DELEGATE_ROLES);

/** Values that clients send back from responses, for roles from another source. */
const SHOWN_ONLY = new Set<unknown>(['global', 'acquired', null]);

const NO_ROLES = 'Say which roles: {} takes all away.';

const isRoleValue = (value: unknown): boolean => typeof value === 'boolean' || SHOWN_ONLY.has(value);

/** The new roles of a principal: the roles with `true`. All others are removed, as in Plone. `run` gets a Set. */
const WholeRoles = Type.Decode(
  Type.Refine(
    schemas.AnyObject({
      description: 'A map of role to true or false. Roles that it leaves out are taken away.',
      message: { required: NO_ROLES, other: 'Must be a map of role to true or false.' },
    }),
    (roles) => Object.values(roles).every(isRoleValue),
    (roles) => {
      const [role = ''] = Object.entries(roles).find(([, value]) => !isRoleValue(value)) ?? [];
      return `The value of "${role.slice(0, 100)}" must be true or false.`;
    },
  ),
  (roles) => new Set(Object.keys(roles).filter((role) => roles[role] === true)),
);

const NO_ID = 'Must be the id of a user or a group.';

const SharingBody = Type.Object({
  entries: Type.Array(
    Type.Object(
      {
        id: Type.String({ minLength: 1, message: { required: NO_ID, other: NO_ID } }),
        type: Type.Optional(schemas.Choice(['user', 'group'], { message: 'Must be user or group.' })),
        roles: WholeRoles,
        ...schemas.sentBack(['login', 'title', 'disabled']),
      },
      { message: { type: 'Must be an object.' } },
    ),
    { description: 'Users and groups with their roles.', message: { type: 'Must be a list.' }, default: [] },
  ),
  inherit: Type.Optional(
    Type.Boolean({
      description: 'Whether roles given on containers count here.',
      message: 'Must be true or false.',
    }),
  ),
  ...schemas.sentBack(['available_roles']),
});

/** GET `@sharing`: the principals with local roles on content. */
const getSharing = defineService({
  name: '@sharing',
  method: 'GET',
  context: 'content',
  permission: permissions.DELEGATE_ROLES,
  checkPermission: mayShare,
  summary: 'Shows who has which role on content, from here, from a container or for the whole site.',
  query: Type.Object({
    search: Type.Optional(schemas.Words({ description: 'Adds users and groups with this in their id or name.' })),
  }),
  responses: { 200: { description: 'Roles that can be given, and who has them.', schema: Sharing } },
  run: async ({ db, site, caller, resolved, query: { search } }) =>
    ok(await sharingOf(db, { site, caller, resolved, search })),
});

/** POST `@sharing`: gives and takes local roles. */
const postSharing = defineService({
  name: '@sharing',
  method: 'POST',
  context: 'content',
  permission: permissions.DELEGATE_ROLES,
  checkPermission: mayShare,
  summary:
    'Says which roles users and groups have on content and everything below it. Roles that the caller may not delegate stay.',
  body: SharingBody,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A user or group does not exist, or the body cannot be read.' },
  },
  async run({ kernel, caller, resolved, body: { entries, inherit } }) {
    await shareContent(kernel, { caller, path: resolved.object.path, entries, inherit });
    return noContent();
  },
});

export const sharingServices: Service[] = [getSharing, postSharing];
