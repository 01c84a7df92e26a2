import { Type } from 'typebox';
import { AUTHENTICATED_USERS } from '../../../security/caller.ts';
import { MANAGE_USERS } from '../../../security/permissions.ts';
import { defineService } from '../../../services/service.ts';
import { listGroups, rolesOfEverybody } from '../statements/people-groups.ts';
import { readPeoplePage, textParameter } from '../users/people-page.ts';
import { everybody, groupJson, MEMBER_BATCH } from './group-json.ts';
import { Group } from './group-schemas.ts';

/** GET `@groups`: the groups of the site; the one of all users comes last. */
export const getGroups = defineService({
  name: '@groups',
  method: 'GET',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Lists groups by title. When there are more, the header Link has the address of the next ones.',
  query: Type.Object({
    query: Type.Optional(Type.String({ description: 'Part of the id.' })),
    limit: Type.Optional(
      Type.Integer({
        description: 'Most groups to list: 25 with a query, or where the site has many groups; else 10000.',
      }),
    ),
    b_start: Type.Optional(Type.Integer({ description: 'Groups to skip.' })),
  }),
  responses: { 200: { description: 'The groups, each with its first members.', schema: Type.Array(Group) } },
  async run({ db, site, base, searchParams }) {
    const text = textParameter(searchParams, 'query');
    const { limit, offset, next } = readPeoplePage(searchParams, {
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
