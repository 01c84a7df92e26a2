import { Type } from 'typebox';
import { contentDisposition } from '../../../lib/content-disposition.ts';
import { MANAGE_USERS } from '../../../security/permissions.ts';
import { headerOf } from '../../../services/content/represent-path.ts';
import { loggedStream } from '../../../services/download/logged-stream.ts';
import { defineService } from '../../../services/service.ts';
import { exportUsers } from '../export-users.ts';
import { listProfiles } from '../statements/people-profiles.ts';
import { readPeoplePage } from './people-page.ts';
import { readUserFilter } from './user-filter.ts';
import { userJson } from './user-json.ts';
import { User } from './user-schemas.ts';

/** GET `@users`: the users of the site. */
export const getUsers = defineService({
  name: '@users',
  method: 'GET',
  context: 'site',
  permission: MANAGE_USERS,
  summary:
    'Lists users by full name. When there are more, the header Link has the address of the next ones. As `text/csv` all of them are sent.',
  query: Type.Object({
    query: Type.Optional(Type.String({ description: 'Part of the id.' })),
    search: Type.Optional(Type.String({ description: 'Part of id, login name, full name or e-mail address.' })),
    'groups-filter': Type.Optional(
      Type.Array(Type.String(), { description: 'Members of any of these groups; also as groups-filter:list.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        description: 'Most users to list: 25 with a filter, or where the site has many users; else 10000.',
      }),
    ),
    b_start: Type.Optional(Type.Integer({ description: 'Users to skip.' })),
  }),
  responses: { 200: { description: 'The users.', schema: Type.Array(User) } },
  async run(context) {
    const { db, site, base, searchParams } = context;
    const filter = readUserFilter(searchParams);
    if (/\btext\/csv\b/i.test(headerOf(context, 'accept') ?? '')) {
      return {
        status: 200,
        headers: { 'Content-Disposition': contentDisposition('attachment', 'users.csv') },
        contentType: 'text/csv; charset=utf-8',
        stream: loggedStream(context.kernel.log, () => exportUsers(db, filter)),
      };
    }
    const filtered = Object.values(filter).some((value) => value !== undefined);
    const { limit, offset, next } = readPeoplePage(searchParams, { site, many: 'many_users', filtered });
    const found = await listProfiles(db, { ...filter, limit: limit + 1, offset });
    const headers = found.length > limit ? next(`${base}/@users`) : {};
    return { status: 200, headers, body: found.slice(0, limit).map((user) => userJson(context, user)) };
  },
});
