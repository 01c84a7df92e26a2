import { Type } from 'typebox';
import {
  batching,
  callers,
  created,
  defineService,
  noContent,
  ok,
  permissions,
  type Queryable,
  type Service,
  schemas,
} from '#core';
import { NotFound } from '#lib/errors';
import {
  createGroup,
  groupPath,
  type MemberChange,
  onceMembersAreThere,
  removeGroup,
  updateGroup,
} from './group-changes.ts';
import {
  everybody,
  GroupSchema,
  groupJson,
  groupUrl,
  listHeaders,
  MEMBER_BATCH,
  PEOPLE_HEADERS,
  PeoplePage,
  pageOf,
} from './people-json.ts';
import { emailProblem, groupNameProblem, MAX_NAME } from './person-rules.ts';
import { RoleChanges, roleProblems } from './roles.ts';
import {
  countGroups,
  type Group,
  groupsById,
  listGroups,
  type MemberBatch,
  rolesOfEverybody,
} from './statements/groups.ts';
import { PlainText, WRONG_PARAMETER } from './user-input.ts';

/** Ids of members; null changes nothing. `run` gets a MemberChange. */
const MemberChanges = (description: string) =>
  Type.Decode(
    Type.Union([Type.Array(Type.String()), Type.Record(Type.String(), Type.Boolean()), Type.Null()], {
      description: `${description}: a list of ids, or a map of id to true or false.`,
      message: 'Must be a list of ids or a map of id to true or false.',
    }),
    (value): MemberChange | undefined => {
      if (value === null) return undefined;
      if (Array.isArray(value)) return { replace: true, add: [...new Set(value)], remove: [] };
      const idsThat = (wanted: boolean) => Object.keys(value).filter((id) => value[id] === wanted);
      return { replace: false, add: idsThat(true), remove: idsThat(false) };
    },
  );

const GROUP_KEYS = {
  title: Type.Optional(PlainText({ description: 'Title.', max: 1000 })),
  description: Type.Optional(PlainText({ description: 'Description.', max: 10_000, lines: true })),
  email: Type.Optional(
    PlainText({
      description: 'E-mail address.',
      max: MAX_NAME,
      rule: (email) => (email === '' ? undefined : emailProblem(email)),
    }),
  ),
  roles: Type.Optional(RoleChanges),
  users: Type.Optional(MemberChanges('Members')),
  groups: Type.Optional(MemberChanges('Groups that are members')),
};

/** Members of a group that clients send back. They change nothing. */
const SHOWN = {
  id: Type.Optional(schemas.SentBack),
  groupname: Type.Optional(schemas.SentBack),
  members: Type.Optional(schemas.SentBack),
};

/** Body of PATCH `@groups/<id>`. */
const GroupBody = Type.Object({ ...SHOWN, ...GROUP_KEYS });

/** Body of POST `@groups`. */
const NewGroupBody = Type.Object({
  groupname: PlainText({
    description: 'Id of the group.',
    max: MAX_NAME,
    rule: groupNameProblem,
    message: { required: 'Is required.', other: 'Must be a text.' },
  }),
  ...GROUP_KEYS,
  password: Type.Optional(
    Type.Unknown({ description: 'Groups have none: it changes nothing. Clients of Plone send it.' }),
  ),
});

/** The group with this id and a batch of its members. Throws NotFound. */
async function loadGroup(db: Queryable, id: string, batch: MemberBatch): Promise<Group> {
  if (id === callers.AUTHENTICATED_USERS) return everybody(await rolesOfEverybody(db));
  const [group] = await groupsById(db, [id], batch);
  if (!group) throw new NotFound(groupPath(id));
  return group;
}

/** GET `@groups`: the groups of the site; the virtual group of all users comes last. */
const getGroups = defineService({
  name: '@groups',
  method: 'GET',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  summary: 'Lists groups by title. The header X-Total-Count has their number, and Link the address of the next ones.',
  query: Type.Object({
    query: Type.Optional(schemas.Words({ description: 'Part of the id.' })),
    search: Type.Optional(schemas.Words({ description: 'Part of the id or the title.' })),
    ...PeoplePage('groups', 'a query'),
  }),
  responses: {
    200: {
      description: 'The groups, each with its first members.',
      schema: Type.Array(GroupSchema),
      headers: PEOPLE_HEADERS,
    },
  },
  async run({ db, site, base, query, searchParams }) {
    const filter = { query: query.query, search: query.search };
    const texts = Object.values(filter).flatMap((text) => text?.toLowerCase() ?? []);
    const { limit, offset } = pageOf(query, { site, many: 'many_groups', filtered: texts.length > 0 });
    const stored = await listGroups(db, { ...filter, limit, offset }, { size: MEMBER_BATCH, start: 0 });
    const count = await countGroups(db, filter);
    const matched = texts.every((text) => callers.AUTHENTICATED_USERS.toLowerCase().includes(text));
    const isHere = matched && offset <= count && count < offset + limit;
    const groups = isHere ? [...stored, everybody(await rolesOfEverybody(db))] : stored;
    const batch = { start: 0, size: MEMBER_BATCH, query: new URLSearchParams() };
    const headers = listHeaders(`${base}/@groups`, searchParams, { limit, offset, total: count + (matched ? 1 : 0) });
    return ok(
      groups.map((group) => groupJson(base, group, batch)),
      headers,
    );
  },
});

/** GET `@groups/<id>`: one group with a batch of its members. */
const getGroup = defineService({
  name: '@groups',
  method: 'GET',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  summary: 'Represents a group with its members.',
  rest: ['{id}'],
  query: Type.Object(batching.Query('members', { size: MEMBER_BATCH })),
  responses: {
    200: { description: 'The group.', schema: GroupSchema },
    404: { description: 'There is no such group.' },
  },
  async run({ db, base, params, query, searchParams }) {
    const batch = batching.of(query, searchParams);
    return ok(groupJson(base, await loadGroup(db, params.id, batch), batch));
  },
});

/** POST `@groups`: a new group. */
const postGroup = defineService({
  name: '@groups',
  method: 'POST',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  summary: 'Creates a group.',
  body: NewGroupBody,
  errorType: WRONG_PARAMETER,
  check: ({ site }, { body: { roles } }) => roleProblems(site, roles),
  responses: {
    201: { description: 'The new group; its address is in the header Location.', schema: GroupSchema },
    400: { description: 'A problem for each field, in `error.errors`.' },
  },
  async run({ kernel, db, caller, base, body }) {
    const id = await createGroup(kernel, { caller, input: body });
    const batch = { start: 0, size: MEMBER_BATCH, query: new URLSearchParams() };
    return created(groupJson(base, await loadGroup(db, id, batch), batch), { Location: groupUrl(base, id) });
  },
});

/** PATCH `@groups/<id>`: changes a group. */
const patchGroup = defineService({
  name: '@groups',
  method: 'PATCH',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  summary: 'Changes texts, roles and members of a group; of AuthenticatedUsers the roles only.',
  rest: ['{id}'],
  body: GroupBody,
  errorType: WRONG_PARAMETER,
  check: ({ site }, { body: { roles } }) => roleProblems(site, roles),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each field, in `error.errors`.' },
    404: { description: 'There is no such group.' },
  },
  async run({ kernel, caller, params, body }) {
    const { id: _id, groupname: _name, members: _members, ...input } = body;
    await onceMembersAreThere(() => updateGroup(kernel, { caller, id: params.id, input }));
    return noContent();
  },
});

/** DELETE `@groups/<id>`: removes a group. */
const deleteGroup = defineService({
  name: '@groups',
  method: 'DELETE',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  summary: 'Removes a group with its local roles. Its members stay.',
  rest: ['{id}'],
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'It makes the last Manager one.' },
    404: { description: 'There is no such group.' },
  },
  async run({ kernel, caller, params }) {
    await removeGroup(kernel, { caller, id: params.id });
    return noContent();
  },
});

export const groupsServices: Service[] = [getGroups, getGroup, postGroup, patchGroup, deleteGroup];
