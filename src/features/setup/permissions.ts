import { type Static, Type } from 'typebox';
import { configuration, defineService, MANAGE_PORTAL, noContent, ok, type Service, type Site, sitePieces } from '#core';
import { NotFound, ValidationFailed } from '#lib/errors';
import { changeSetup, rowWith } from './change-setup.ts';
import { lockedOut } from './permission-rules.ts';

const Permission = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  '@type': Type.Literal('permission'),
  id: Type.String(),
  roles: Type.Array(Type.String(), {
    description: 'The roles that have it where nothing else is said. `Anonymous` is everybody.',
  }),
});

const permissionJson = (base: string, { roleMap }: Site, id: string): Static<typeof Permission> => ({
  '@id': `${base}/@permissions/${encodeURIComponent(id)}`,
  '@type': 'permission',
  id,
  roles: [...(Object.hasOwn(roleMap, id) ? (roleMap[id] ?? []) : [])],
});

/** GET `@permissions`: the permissions with their roles. */
const getPermissions = defineService({
  name: '@permissions',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Lists the permissions with the roles that have them.',
  responses: { 200: { description: 'The permissions by name.', schema: Type.Array(Permission) } },
  run: async ({ site, base }) => ok(sitePieces.knownPermissions(site).map((id) => permissionJson(base, site, id))),
});

/** GET `@permissions/<permission>`: the roles of one permission. */
const getPermission = defineService({
  name: '@permissions',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'The roles that have a permission.',
  rest: ['{permission}'],
  responses: {
    200: { description: 'The permission.', schema: Permission },
    404: { description: 'There is no such permission.' },
  },
  async run({ site, base, params: { permission } }) {
    if (!sitePieces.knownPermissions(site).includes(permission)) throw new NotFound(`/@permissions/${permission}`);
    return ok(permissionJson(base, site, permission));
  },
});

const MAX_ROLES = 500;
/** Roles of a permission: a list replaces the present roles, a map adds and removes single roles. */
const Roles = Type.Union(
  [Type.Array(Type.String(), { maxItems: MAX_ROLES }), Type.Record(Type.String(), Type.Boolean())],
  { message: 'Must be a list of roles or a map of role to true or false.' },
);

/** The roles of a permission after a change, in the order of the site. */
function rolesAfter({ roles }: Site, present: readonly string[], change: Static<typeof Roles>): string[] {
  const wanted = new Set(Array.isArray(change) ? change : present);
  if (!Array.isArray(change))
    for (const [role, on] of Object.entries(change)) {
      if (on) wanted.add(role);
      else wanted.delete(role);
    }
  const order = new Map(roles.map(({ id }, at) => [id, at]));
  return [...wanted].sort((a, b) => (order.get(a) ?? roles.length) - (order.get(b) ?? roles.length));
}

/** The problem with the new roles of a permission; undefined for none. */
function rolesProblem(site: Site, permission: string, roles: readonly string[], sent: readonly string[]) {
  const name = sent.find((role) => !site.roles.some(({ id }) => id === role));
  if (name !== undefined) return `There is no role "${name.slice(0, 100)}".`;
  return lockedOut(permission, roles)
    ? `The role "Manager" keeps the permission "${permission}": without it nobody could undo this.`
    : undefined;
}

/** PATCH `@permissions`: gives permissions to roles and removes them. */
const patchPermissions = defineService({
  name: '@permissions',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Gives permissions to roles and takes them away, all that is sent or nothing. It counts at once.',
  body: Type.Record(Type.String(), Roles, {
    message: { other: 'Must be an object of permissions.' },
    examples: [{ 'cms.restapi: Use REST API': ['Authenticated'], 'Add portal content': { Member: true } }],
  }),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A permission or a role is unknown, or no Manager could undo the change.' },
  },
  async run({ kernel, caller, body }) {
    await changeSetup(kernel, { caller }, (change) => {
      const { site } = change;
      const known = new Set(sitePieces.knownPermissions(site));
      const problems: { field: string; message: string }[] = [];
      const write = Object.entries(body).flatMap(([id, sent]) => {
        const field = id.slice(0, 200);
        if (!known.has(id)) {
          problems.push({ field, message: 'There is no such permission.' });
          return [];
        }
        const present = site.roleMap[id] ?? [];
        const roles = rolesAfter(site, present, sent);
        const message = rolesProblem(site, id, roles, Array.isArray(sent) ? sent : Object.keys(sent));
        if (message !== undefined) problems.push({ field, message });
        const same = roles.length === present.length && roles.every((role) => present.includes(role));
        return same ? [] : [rowWith(change, { kind: configuration.KINDS.permission, id }, roles)];
      });
      if (problems.length > 0) throw new ValidationFailed(problems);
      return { write };
    });
    return noContent();
  },
});

/** The services for the roles of permissions. */
export const permissionServices: Service[] = [getPermissions, getPermission, patchPermissions];
