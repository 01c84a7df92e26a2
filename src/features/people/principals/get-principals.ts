import { Type } from 'typebox';
import { BadRequest } from '../../../lib/errors.ts';
import { MANAGE_USERS } from '../../../security/permissions.ts';
import { defineService, ok } from '../../../services/service.ts';
import { groupSummary } from '../groups/group-json.ts';
import { listGroups } from '../statements/people-groups.ts';
import { listProfiles } from '../statements/people-profiles.ts';
import { textParameter } from '../users/people-page.ts';
import { userJson } from '../users/user-json.ts';

/** Most users and most groups that a search finds: a longer list calls for a longer text. */
const MOST = 100;

/** GET `@principals`: users and groups that match a text. */
export const getPrincipals = defineService({
  name: '@principals',
  method: 'GET',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Finds users and groups by a part of their id or name; at most 100 of each.',
  query: Type.Object({ search: Type.String({ description: 'Part of id, name or e-mail address.' }) }),
  responses: { 200: { description: 'Users and groups.' }, 400: { description: 'There is no text to search for.' } },
  async run(context) {
    const { db, base, searchParams } = context;
    const search = textParameter(searchParams, 'search');
    if (search === undefined) throw new BadRequest('Required query parameter "search" missing.');
    const page = { search, limit: MOST, offset: 0 };
    const [users, groups] = [await listProfiles(db, page), await listGroups(db, page, { size: 0, start: 0 })];
    return ok({
      users: users.map((user) => userJson(context, user)),
      groups: groups.map((group) => groupSummary(base, group)),
    });
  },
});
