import { type Static, Type } from 'typebox';
import {
  batching,
  callers,
  panelSettings,
  panels,
  type Queryable,
  type RenderContext,
  type Site,
  schemas,
  siteSettings,
} from '#core';
import { NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { type Profile, profilesById } from './statements/accounts.ts';
import type { Group } from './statements/groups.ts';
import { userPath } from './user-changes.ts';
import { propertyFields } from './user-type.ts';

/** A group in a response, without its members. */
export const GroupSummarySchema = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  groupname: Type.String(),
  title: Type.String(),
  description: Type.String(),
  email: Type.String(),
  roles: Type.Array(Type.String()),
});

/** A group in a response. */
export const GroupSchema = Type.Object({
  ...GroupSummarySchema.properties,
  members: Type.Object({
    '@id': Type.String({ format: 'uri' }),
    items: Type.Array(Type.String(), { description: 'Ids of users and groups.' }),
    items_total: Type.Integer(),
    ...batching.Links.properties,
  }),
});

/** A user in a response; its other members are the properties of the site's user schema. */
export const UserSchema = schemas.Extensible({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  username: Type.String({ description: 'The name to log in with.' }),
  fullname: Type.String(),
  email: Type.String(),
  portrait: Type.Union([Type.String(), Type.Null()], { description: 'Address of a picture.' }),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether the user may log in. For managers of users.' })),
  disabled: Type.Optional(Type.Boolean({ description: 'The contrary of `enabled`, for older clients.' })),
  second_factor: Type.Optional(
    Type.Boolean({ description: 'Whether the user has set up a second factor. For managers of users.' }),
  ),
  last_login: Type.Optional(
    schemas.Nullable(Type.String({ format: 'date-time' }), { description: 'Null: never. For managers of users.' }),
  ),
  roles: Type.Array(Type.String(), { description: 'Roles for the whole site, those of groups included.' }),
  groups: Type.Object({
    '@id': Type.String({ format: 'uri' }),
    items: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
    items_total: Type.Integer(),
    ...batching.Links.properties,
  }),
});

/** Address of a user. */
export const userUrl = (base: string, id: string): string => `${base}/@users/${encodeURIComponent(id)}`;

/** Address of the picture of a user. */
const portraitUrl = (base: string, id: string): string => `${base}/@portrait/${encodeURIComponent(id)}`;

/** Properties as their field kinds serialize them; empty ones are null (plone.restapi §7 @users). */
function propertiesJson(
  { kernel, site, base }: Pick<RenderContext, 'kernel' | 'site' | 'base'>,
  user: Profile,
): JsonObject {
  const context = {
    objectUrl: userUrl(base, user.id),
    target: () => undefined,
    termTitle: () => undefined,
    scales: siteSettings.scales(site),
    mayEdit: true,
    slots: kernel.slots,
  };
  return Object.fromEntries(
    propertyFields(kernel, site).map((field) => {
      const stored = user.properties[field.name];
      const empty = stored === undefined || stored === null || stored === '';
      const kind = kernel.fieldKinds.of(field);
      return [field.name, empty ? null : (kind.serialize?.(stored, field, context) ?? stored)];
    }),
  );
}

/**
 * A user as plone.restapi represents it, including the roles of groups; for managers of users also if the user may log in, and the last login. With
 * `batch` only that part of the groups is listed, else all of them.
 */
export function userJson(
  context: Pick<RenderContext, 'kernel' | 'site' | 'base'> & { manages?: boolean },
  user: Profile,
  batch?: batching.Request,
): Static<typeof UserSchema> {
  const { id, login, fullname, email, roles, groups, hasPortrait } = user;
  const url = userUrl(context.base, id);
  const all = groups.map((group) => ({
    id: group.id,
    title: group.id === callers.AUTHENTICATED_USERS ? callers.AUTHENTICATED_USERS : group.title,
  }));
  return {
    ...propertiesJson(context, user),
    '@id': url,
    id,
    username: login,
    fullname,
    email,
    portrait: hasPortrait ? portraitUrl(context.base, id) : null,
    ...(context.manages
      ? {
          enabled: user.disabled === null,
          disabled: user.disabled !== null,
          second_factor: user.hasSecondFactor,
          last_login: user.lastLogin?.toISOString() ?? null,
        }
      : {}),
    roles: roles.filter((role) => role !== 'Anonymous' && role !== 'Authenticated'),
    groups: {
      '@id': url,
      items: batch ? all.slice(batch.start, batch.start + batch.size) : all,
      items_total: all.length,
      ...(batch ? batching.linksOf(url, batch, all.length) : {}),
    },
  };
}

/** Members listed with a group unless `b_size` says otherwise (plone.restapi §6.1). */
export const MEMBER_BATCH = 25;

/** Address of a group. */
export const groupUrl = (base: string, id: string): string => `${base}/@groups/${encodeURIComponent(id)}`;

/** The virtual group of all users, with the roles of all users. Its members are not stored. */
export const everybody = (ownRoles: string[]): Group => ({
  id: callers.AUTHENTICATED_USERS,
  title: 'Authenticated Users (Virtual Group)',
  description: 'Automatic Group Provider',
  email: '',
  ownRoles,
  members: [],
  membersTotal: 0,
});

/** A group without its members. Its roles include Authenticated, which all members have. */
export const groupSummary = (
  base: string,
  { id, title, description, email, ownRoles }: Group,
): Static<typeof GroupSummarySchema> => ({
  '@id': groupUrl(base, id),
  id,
  groupname: id,
  title: title || id,
  description,
  email,
  roles: id === callers.AUTHENTICATED_USERS ? ownRoles : [...ownRoles, 'Authenticated'],
});

/** A group with one batch of its members. */
export function groupJson(base: string, group: Group, batch: batching.Request): Static<typeof GroupSchema> {
  const url = groupUrl(base, group.id);
  const members = {
    '@id': url,
    items: group.members,
    items_total: group.membersTotal,
    ...batching.linksOf(url, batch, group.membersTotal),
  };
  return { ...groupSummary(base, group), members };
}

/** Users or groups on a page of a list unless `limit` says otherwise (plone.restapi, U02 and U22). */
const PAGE_SIZE = 25;
/** Maximum number of users or groups in one response. */
const MAX_PAGE_SIZE = 10_000;

/** The parameters of a list of people. Filtered lists and those of sites with many people have pages. */
export const PeoplePage = (what: string, filter: string) => ({
  limit: Type.Optional(
    Type.Integer({
      description: `Another name of \`b_size\`, as Plone has it. The smaller one counts.`,
      reject: 'Invalid limit: Not an integer',
    }),
  ),
  b_start: batching.Query(what, { size: PAGE_SIZE }).b_start,
  b_size: Type.Optional(
    batching.Size(what, {
      most: MAX_PAGE_SIZE,
      otherwise: `${PAGE_SIZE} with ${filter}, or where the site has many ${what}; else ${MAX_PAGE_SIZE}`,
    }),
  ),
});

/** The headers of a list of people. */
export const PEOPLE_HEADERS = {
  Link: { description: 'Address of the next ones, as `rel="next"`, when there are more.' },
  'X-Total-Count': { description: 'How many there are altogether.', schema: Type.Integer() },
};

/** Returns the headers of a page of people: the total, and the address of the next page. */
export const listHeaders = (
  url: string,
  query: URLSearchParams,
  { limit, offset, total }: { limit: number; offset: number; total: number },
): { Link?: string; 'X-Total-Count': string } => ({
  ...(offset + limit < total ? batching.nextLink(url, query, { limit, offset }) : {}),
  'X-Total-Count': String(total),
});

/**
 * Returns the page of a list of people that a query selects. Filtered lists and those of sites with many people (panel
 * `usergroup`) have pages; all others are complete.
 */
export function pageOf(
  {
    limit,
    b_start: offset,
    b_size: batch,
  }: { limit?: number | undefined; b_start: number; b_size?: number | undefined },
  { site, many, filtered }: { site: Site; many: 'many_users' | 'many_groups'; filtered: boolean },
): { limit: number; offset: number } {
  const isPaged = filtered || panelSettings(site, panels.usergroup)[many];
  const asked = [limit, batch].filter((size) => size !== undefined);
  const size = asked.length > 0 ? Math.min(...asked) : isPaged ? PAGE_SIZE : MAX_PAGE_SIZE;
  return { limit: Math.min(MAX_PAGE_SIZE, Math.max(0, size)), offset };
}

/** Returns the user with this id. Throws NotFound. */
export async function requireProfile(db: Queryable, id: string): Promise<Profile> {
  const [user] = await profilesById(db, [id]);
  if (!user) throw new NotFound(userPath(id));
  return user;
}
