import { type Static, Type } from 'typebox';
import { defineService, ok, type Service, type Site, VIEW } from '#core';
import { type FieldProblem, NotFound } from '#lib/errors';

/** Roles that cannot be given: everybody has them, or only owners of content. */
const IMPLIED_ROLES = new Set(['Anonymous', 'Authenticated', 'Owner']);

/** A change of roles: a list in the body replaces the present ones, a map of role to boolean adds and removes. */
export type RoleChange = { replace: boolean; give: string[]; take: string[] };

/** The roles that can be given to users and groups for the whole site, in the order of the site. */
const givableRoles = (site: Site) => site.roles.filter(({ id }) => !IMPLIED_ROLES.has(id));

/** A change of roles in a body; null changes nothing. `run` gets a RoleChange. */
export const RoleChanges = Type.Decode(
  Type.Union([Type.Array(Type.String()), Type.Record(Type.String(), Type.Boolean()), Type.Null()], {
    description: 'List of roles, or a map of role to true or false.',
    message: 'Must be a list of roles or a map of role to true or false.',
  }),
  (value) => (value === null ? undefined : roleChangeOf(value)),
);

/** Returns a problem when a change gives a role that cannot be given on the site. */
export function roleProblems(site: Site, change: RoleChange | undefined): FieldProblem[] {
  const known = new Set(givableRoles(site).map(({ id }) => id));
  const unknown = change?.give.find((role) => !known.has(role));
  if (unknown === undefined) return [];
  return [{ field: 'roles', message: `There is no role "${unknown.slice(0, 100)}" that can be given.` }];
}

/** The change that a list of roles or a map of them describes. Roles that everybody has are ignored, because clients send them back. */
function roleChangeOf(value: readonly string[] | Readonly<Record<string, boolean>>): RoleChange {
  const isList = Array.isArray(value);
  const entries: [string, boolean][] = isList ? value.map((role) => [role, true]) : Object.entries(value);
  const rolesThat = (wanted: boolean) => entries.filter(([, on]) => on === wanted).map(([role]) => role);
  const give = rolesThat(true).filter((role) => role !== 'Anonymous' && role !== 'Authenticated');
  return { replace: isList, give: [...new Set(give)], take: rolesThat(false) };
}

/**
 * Own roles after a change. `shown` are the roles that clients see, including those of groups: a client that sends back a role of a group does not
 * make it the user's own.
 */
export function changeRoles(own: readonly string[], shown: readonly string[], change: RoleChange): string[] {
  const kept = own.filter((role) => (change.replace ? change.give.includes(role) : !change.take.includes(role)));
  const given = change.give.filter((role) => !own.includes(role) && !shown.includes(role));
  return [...kept, ...given];
}

export const RoleSchema = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  '@type': Type.Literal('role'),
  id: Type.String(),
  title: Type.String(),
});

/** A role as plone.restapi represents it. */
export const roleJson = (base: string, { id, title }: Site['roles'][number]): Static<typeof RoleSchema> => ({
  '@id': `${base}/@roles/${encodeURIComponent(id)}`,
  '@type': 'role',
  id,
  title,
});

/** GET `@roles`: the roles that users and groups can be given. */
const getRoles = defineService({
  name: '@roles',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'Lists the roles that users and groups can be given.',
  responses: { 200: { description: 'The roles.', schema: Type.Array(RoleSchema) } },
  run: async ({ site, base }) => ok(givableRoles(site).map((role) => roleJson(base, role))),
});

/** GET `@roles/<id>`: one role, at its address in the list. */
const getRole = defineService({
  name: '@roles',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'Represents a role.',
  rest: ['{id}'],
  responses: { 200: { description: 'The role.', schema: RoleSchema }, 404: { description: 'There is no such role.' } },
  async run({ site, base, params }) {
    const role = givableRoles(site).find(({ id }) => id === params.id);
    if (!role) throw new NotFound(`/@roles/${params.id}`);
    return ok(roleJson(base, role));
  },
});

export const rolesServices: Service[] = [getRoles, getRole];
