import { Type } from 'typebox';
import { defineService, ok, permissions, type Service, schemas } from '#core';
import { GroupSummarySchema, groupSummary, UserSchema, userJson } from './people-json.ts';
import { listProfiles } from './statements/accounts.ts';
import { listGroups } from './statements/groups.ts';

/** Maximum number of users, and of groups, in one search. */
const MAX_FOUND = 100;

/** GET `@principals`: users and groups that match a text. */
const getPrincipals = defineService({
  name: '@principals',
  method: 'GET',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  summary: 'Finds users and groups by a part of their id or name; at most 100 of each.',
  query: Type.Object({
    search: schemas.Words({
      description: 'Part of id, name or e-mail address.',
      reject: { required: 'Required query parameter "search" missing.' },
    }),
  }),
  responses: {
    200: {
      description: 'Users and groups.',
      schema: Type.Object({ users: Type.Array(UserSchema), groups: Type.Array(GroupSummarySchema) }),
    },
    400: { description: 'There is no text to search for.' },
  },
  async run(context) {
    const { db, base, query } = context;
    const page = { search: query.search, limit: MAX_FOUND, offset: 0 };
    const [users, groups] = [await listProfiles(db, page), await listGroups(db, page, { size: 0, start: 0 })];
    return ok({
      users: users.map((user) => userJson(context, user)),
      groups: groups.map((group) => groupSummary(base, group)),
    });
  },
});

export const principalsServices: Service[] = [getPrincipals];
