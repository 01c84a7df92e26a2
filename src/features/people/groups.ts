import { Type } from 'typebox';
import { NotFound } from '../../lib/errors.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import { readBatch } from '../../serializer/batch.ts';
import { documentedQuery } from '../../services/openapi/documented.ts';
import { defineService, noContent, ok, type Service } from '../../services/service.ts';
import type { Queryable } from '../../storage/database.ts';
import { createGroup, groupPath, removeGroup, updateGroup } from './group-changes.ts';
import { everybody, groupJson, groupUrl, MEMBER_BATCH, parsePeoplePage, textParameter } from './people-json.ts';
import { type Group, groupsById, listGroups, type MemberBatch, rolesOfEverybody } from './statements/groups.ts';

/** A group in a response. */
const GroupSchema = Type.Object(
  {
    '@id': Type.String(),
    id: Type.String(),
    groupname: Type.String(),
    title: Type.String(),
    description: Type.String(),
    email: Type.String(),
    roles: Type.Array(Type.String()),
    members: Type.Object(
      { '@id': Type.String(), items: Type.Array(Type.String()), items_total: Type.Integer() },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: true },
);

/** Keys of a group that POST and PATCH read. The domain says what is wrong with each; other keys are passed over. */
const GROUP_KEYS = {
  title: Type.Optional(Type.Unknown({ description: 'Title.' })),
  description: Type.Optional(Type.Unknown({ description: 'Description.' })),
  email: Type.Optional(Type.Unknown({ description: 'E-mail address.' })),
  roles: Type.Optional(Type.Unknown({ description: 'List of roles, or a map of role to true or false.' })),
  users: Type.Optional(Type.Unknown({ description: 'Members: a list of ids, or a map of id to true or false.' })),
  groups: Type.Optional(
    Type.Unknown({ description: 'Groups that are members: a list of ids, or a map of id to true or false.' }),
  ),
};

/** Body of POST `@groups`. */
const NewGroupBody = Type.Object(
  { groupname: Type.Optional(Type.Unknown({ description: 'Id of the group. Required.' })), ...GROUP_KEYS },
  { additionalProperties: true },
);

/** Body of PATCH `@groups/<id>`. */
const GroupBody = Type.Object(GROUP_KEYS, { additionalProperties: true });

/** The group with this id and a batch of its members. Throws NotFound. */
async function loadGroup(db: Queryable, id: string, batch: MemberBatch): Promise<Group> {
  if (id === AUTHENTICATED_USERS) return everybody(await rolesOfEverybody(db));
  const [group] = await groupsById(db, [id], batch);
  if (!group) throw new NotFound(groupPath(id));
  return group;
}

/** GET `@groups`: the groups of the site; the virtual group of all users comes last. */
const getGroups = defineService({
  name: '@groups',
  method: 'GET',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Lists groups by title. When there are more, the header Link has the address of the next ones.',
  query: documentedQuery(
    Type.Object({
      query: Type.Optional(Type.String({ description: 'Part of the id.' })),
      limit: Type.Optional(
        Type.Integer({
          description: 'Most groups to list: 25 with a query, or where the site has many groups; else 10000.',
        }),
      ),
      b_start: Type.Optional(Type.Integer({ description: 'Groups to skip.' })),
    }),
  ),
  responses: { 200: { description: 'The groups, each with its first members.', schema: Type.Array(GroupSchema) } },
  async run({ db, site, base, searchParams }) {
    const text = textParameter(searchParams, 'query');
    const { limit, offset, next } = parsePeoplePage(searchParams, {
      site,
      many: 'many_groups',
      filtered: text !== undefined,
    });
    const stored = await listGroups(db, { query: text, limit: limit + 1, offset }, { size: MEMBER_BATCH, start: 0 });
    const meant = AUTHENTICATED_USERS.toLowerCase().includes(text?.toLowerCase() ?? '');
    const groups =
      meant && stored.length <= limit ? [...stored, everybody(await rolesOfEverybody(db))] : stored.slice(0, limit);
    const batch = { start: 0, size: MEMBER_BATCH, query: new URLSearchParams() };
    const headers = stored.length > limit ? next(`${base}/@groups`) : {};
    return { status: 200, headers, body: groups.map((group) => groupJson(base, group, batch)) };
  },
});

/** GET `@groups/<id>`: one group with a batch of its members. */
const getGroup = defineService({
  name: '@groups',
  method: 'GET',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Represents a group with its members.',
  rest: ['{id}'],
  query: documentedQuery(
    Type.Object({
      b_start: Type.Optional(Type.Integer({ description: 'Members to skip.' })),
      b_size: Type.Optional(Type.Integer({ description: 'Most members to list; 25 unless given.' })),
    }),
  ),
  responses: {
    200: { description: 'The group.', schema: GroupSchema },
    404: { description: 'There is no such group.' },
  },
  async run({ db, base, rest, searchParams }) {
    const batch = readBatch(searchParams, MEMBER_BATCH);
    return ok(groupJson(base, await loadGroup(db, rest[0] ?? '', batch), batch));
  },
});

/** POST `@groups`: a new group. */
const postGroup = defineService({
  name: '@groups',
  method: 'POST',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Creates a group.',
  body: NewGroupBody,
  responses: {
    201: { description: 'The new group; its address is in the header Location.', schema: GroupSchema },
    400: { description: 'A problem for each field, in `error.errors`.' },
  },
  async run({ kernel, db, caller, base, body }) {
    const id = await createGroup(kernel, { caller, input: body });
    const batch = { start: 0, size: MEMBER_BATCH, query: new URLSearchParams() };
    return {
      status: 201,
      headers: { Location: groupUrl(base, id) },
      body: groupJson(base, await loadGroup(db, id, batch), batch),
    };
  },
});

/** PATCH `@groups/<id>`: changes a group. */
const patchGroup = defineService({
  name: '@groups',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Changes texts, roles and members of a group; of AuthenticatedUsers the roles only.',
  rest: ['{id}'],
  body: GroupBody,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each field, in `error.errors`.' },
    404: { description: 'There is no such group.' },
  },
  async run({ kernel, caller, rest, body }) {
    await updateGroup(kernel, { caller, id: rest[0] ?? '', input: body });
    return noContent();
  },
});

/** DELETE `@groups/<id>`: removes a group. */
const deleteGroup = defineService({
  name: '@groups',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Removes a group with its local roles. Its members stay.',
  rest: ['{id}'],
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'It makes the last Manager one.' },
    404: { description: 'There is no such group.' },
  },
  async run({ kernel, caller, rest }) {
    await removeGroup(kernel, { caller, id: rest[0] ?? '' });
    return noContent();
  },
});

export const groupsServices: Service[] = [getGroups, getGroup, postGroup, patchGroup, deleteGroup];
