import { type Static, Type } from 'typebox';
import {
  batching,
  created,
  defineService,
  downloads,
  has,
  noContent,
  ok,
  permissions,
  type RequestContext,
  requests,
  requirePermission,
  type Service,
  schemas,
} from '#core';
import { Forbidden } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { ADD_MEMBER, READ_PEOPLE, SET_OWN_PROPERTIES } from './authority.ts';
import {
  listHeaders,
  PEOPLE_HEADERS,
  PeoplePage,
  pageOf,
  requireProfile,
  UserSchema,
  userJson,
  userUrl,
} from './people-json.ts';
import { MAX_PORTRAIT_BODY } from './portrait.ts';
import { mayRegister } from './registration.ts';
import { countProfiles, listProfiles, profilesById } from './statements/accounts.ts';
import { postNotification, postPassword } from './user-actions.ts';
import { NewUserBody, UserBody, unknownKeys } from './user-body.ts';
import { removeUser, updateUser } from './user-changes.ts';
import { createUser } from './user-creation.ts';
import { exportUsers, importUsers } from './user-csv.ts';
import { WRONG_PARAMETER } from './user-input.ts';
import { propertyFields } from './user-type.ts';

/** GET `@users`: the users of the site. */
const getUsers = defineService({
  name: '@users',
  method: 'GET',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  summary:
    'Lists users by full name. The header X-Total-Count has their number, and Link the address of the next ones. As `text/csv` all of them are sent.',
  query: Type.Object({
    query: Type.Optional(schemas.Words({ description: 'Part of the id.' })),
    search: Type.Optional(schemas.Words({ description: 'Part of id, login name, full name or e-mail address.' })),
    'groups-filter': Type.Optional(
      Type.Array(Type.String(), { description: 'Members of any of these groups; also as groups-filter:list.' }),
    ),
    ...PeoplePage('users', 'a filter'),
  }),
  responses: {
    200: {
      description: 'The users.',
      schema: Type.Array(UserSchema),
      otherType: 'text/csv',
      headers: PEOPLE_HEADERS,
    },
  },
  async run(context) {
    const { db, site, base, query, searchParams } = context;
    const filter = { query: query.query, search: query.search, groups: query['groups-filter'] };
    if (/\btext\/csv\b/i.test(requests.headerOf(context, 'accept') ?? ''))
      return downloads.csvResponse(context.kernel.log, 'users.csv', () => exportUsers(db, filter));
    const filtered = Object.values(filter).some((value) => value !== undefined);
    const { limit, offset } = pageOf(query, { site, many: 'many_users', filtered });
    const found = await listProfiles(db, { ...filter, limit, offset });
    const total = await countProfiles(db, filter);
    return ok(
      found.map((user) => userJson({ ...context, manages: true }, user)),
      listHeaders(`${base}/@users`, searchParams, { limit, offset, total }),
    );
  },
});

/** Groups listed with a user unless `b_size` says otherwise. */
const GROUP_BATCH = 100;

/**
 * GET `@users/<id>`: one user, for the user and for callers who may read or manage users. Other callers get the same response whether or not the user
 * exists.
 */
const getUser = defineService({
  name: '@users',
  method: 'GET',
  context: 'site',
  permission: READ_PEOPLE,
  checkPermission: ({ site, caller, resolved, params }) =>
    caller.id === params.id ||
    has(site, caller, resolved, READ_PEOPLE) ||
    has(site, caller, resolved, permissions.MANAGE_USERS),
  summary: 'Represents a user.',
  rest: ['{id}'],
  query: Type.Object(batching.Query('groups of the user', { size: GROUP_BATCH })),
  responses: { 200: { description: 'The user.', schema: UserSchema }, 404: { description: 'There is no such user.' } },
  async run(context) {
    const { db, site, caller, resolved, params, query, searchParams } = context;
    const manages = has(site, caller, resolved, permissions.MANAGE_USERS);
    return ok(userJson({ ...context, manages }, await requireProfile(db, params.id), batching.of(query, searchParams)));
  },
});

/** The new users of a file. */
const NewUsers = Type.Object({ items: Type.Array(UserSchema), items_total: Type.Integer() });

/** Creates the users of a CSV file. */
async function postFile(
  context: Pick<RequestContext, 'kernel' | 'db' | 'site' | 'caller' | 'resolved' | 'base'>,
  text: string,
): Promise<Static<typeof NewUsers>> {
  const { kernel, db, site, caller, resolved } = context;
  requirePermission(site, caller, resolved, permissions.MANAGE_USERS);
  const ids = await importUsers(kernel, { caller, text });
  const made = new Map((await profilesById(db, ids)).map((user) => [user.id, user]));
  const items = ids.flatMap((id) => made.get(id) ?? []).map((user) => userJson(context, user));
  return { items, items_total: items.length };
}

/**
 * Throws Forbidden for a body with one of the keys. With such a key a stolen token would open the account for ever: the token expires, but a new
 * password would stay.
 */
function rejectCredentials(body: JsonObject, keys: readonly string[]): void {
  const named = keys.find((key) => body[key] !== undefined && body[key] !== null && body[key] !== '');
  if (named !== undefined)
    throw new Forbidden(
      `"${named}" takes somebody who has logged in: a token that was given to a program is not enough.`,
    );
}

/** POST `@users`: a new user, or the users of a CSV file. */
const postUser = defineService({
  name: '@users',
  method: 'POST',
  context: 'site',
  permission: ADD_MEMBER,
  checkPermission: ({ site, caller, resolved }) =>
    has(site, caller, resolved, ADD_MEMBER) ||
    has(site, caller, resolved, permissions.MANAGE_USERS) ||
    mayRegister(site, caller),
  summary:
    'Creates a user, with the role Member unless roles are given; or all users of the CSV file in the part `file` of a form.',
  body: NewUserBody,
  errorType: WRONG_PARAMETER,
  check: ({ kernel, site }, { body }) =>
    unknownKeys(body, { schema: NewUserBody, properties: propertyFields(kernel, site) }),
  accepts: ['multipart/form-data'],
  bodyLimit: MAX_PORTRAIT_BODY,
  responses: {
    201: {
      description: 'The new user; its address is in the header Location. Of a file: the new users, as items.',
      schema: Type.Union([UserSchema, NewUsers]),
    },
    400: { description: 'A problem for each field, in `error.errors`; of a file, with its line.' },
    429: { description: 'Too many registrations from one network.' },
  },
  async run(context) {
    const { kernel, db, caller, base, body, clientAddress, authentication } = context;
    if (!authentication.inPerson) rejectCredentials(body, ['password', 'file']);
    if (body.file !== undefined) return created(await postFile(context, body.file));
    const id = await createUser(kernel, { caller, input: body, address: clientAddress });
    return created(userJson(context, await requireProfile(db, id)), { Location: userUrl(base, id) });
  },
});

/** PATCH `@users/<id>`: changes a user. */
const patchUser = defineService({
  name: '@users',
  method: 'PATCH',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  checkPermission: ({ site, caller, resolved, params }) =>
    has(site, caller, resolved, permissions.MANAGE_USERS) ||
    (caller.id === params.id && has(site, caller, resolved, SET_OWN_PROPERTIES)),
  summary: "Changes a user: one's own properties, or as a manager anything of others.",
  rest: ['{id}'],
  body: UserBody,
  errorType: WRONG_PARAMETER,
  check: ({ kernel, site }, { body }) =>
    unknownKeys(body, { schema: UserBody, properties: propertyFields(kernel, site) }),
  bodyLimit: MAX_PORTRAIT_BODY,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each field, in `error.errors`.' },
    404: { description: 'There is no such user.' },
  },
  async run({ kernel, caller, authentication, params, body }) {
    if (!authentication.inPerson) rejectCredentials(body, ['password', 'email', 'username']);
    await updateUser(kernel, { caller, id: params.id, input: body });
    return noContent();
  },
});

/** DELETE `@users/<id>`: removes a user. */
const deleteUser = defineService({
  name: '@users',
  method: 'DELETE',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  summary: 'Removes a user with its memberships and local roles. Content that it made stays.',
  rest: ['{id}'],
  query: Type.Object({
    delete_localroles: Type.Optional(Type.String({ description: '0 leaves the local roles on content.' })),
  }),
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'It is the last Manager.' },
    404: { description: 'There is no such user.' },
  },
  async run({ kernel, caller, params, query }) {
    await removeUser(kernel, { caller, id: params.id, localRoles: query.delete_localroles !== '0' });
    return noContent();
  },
});

export const usersServices: Service[] = [
  getUsers,
  getUser,
  postUser,
  patchUser,
  deleteUser,
  postPassword,
  postNotification,
];
