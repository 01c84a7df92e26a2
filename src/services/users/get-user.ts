import { has } from '../../content/permissions.ts';
import { READ_PEOPLE } from '../../people/permissions.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import { defineService, ok } from '../service.ts';
import { needProfile } from './need-profile.ts';
import { userJson } from './user-json.ts';
import { User } from './user-schemas.ts';

/** GET `@users/<id>`: one user, for itself and for who may read others. Who may not is not told whether it exists. */
export const getUser = defineService({
  name: '@users',
  method: 'GET',
  context: 'site',
  permission: READ_PEOPLE,
  checkPermission: ({ site, caller, located, rest }) =>
    caller.id === rest[0] || has(site, caller, located, READ_PEOPLE) || has(site, caller, located, MANAGE_USERS),
  summary: 'Represents a user.',
  rest: ['{id}'],
  responses: { 200: { description: 'The user.', schema: User }, 404: { description: 'There is no such user.' } },
  run: async ({ db, base, rest }) => ok(userJson(base, await needProfile(db, rest[0] ?? ''))),
});
