import { Type } from 'typebox';
import { has } from '../../../content/permissions.ts';
import { MANAGE_USERS } from '../../../security/permissions.ts';
import { readBatch } from '../../../serializer/batch.ts';
import { defineService, ok } from '../../../services/service.ts';
import { READ_PEOPLE } from '../permissions.ts';
import { requireProfile } from './need-profile.ts';
import { userJson } from './user-json.ts';
import { User } from './user-schemas.ts';

/** Groups that a user is shown with unless `b_size` says otherwise. */
const GROUP_BATCH = 100;

/** GET `@users/<id>`: one user, for itself and for who may read others. Who may not is not told whether it exists. */
export const getUser = defineService({
  name: '@users',
  method: 'GET',
  context: 'site',
  permission: READ_PEOPLE,
  checkPermission: ({ site, caller, resolved, rest }) =>
    caller.id === rest[0] || has(site, caller, resolved, READ_PEOPLE) || has(site, caller, resolved, MANAGE_USERS),
  summary: 'Represents a user.',
  rest: ['{id}'],
  query: Type.Object({
    b_start: Type.Optional(Type.Integer({ description: 'Groups of the user to skip.' })),
    b_size: Type.Optional(Type.Integer({ description: 'Most groups of the user to list; 100 unless given.' })),
  }),
  responses: { 200: { description: 'The user.', schema: User }, 404: { description: 'There is no such user.' } },
  async run(context) {
    const batch = readBatch(context.searchParams, GROUP_BATCH);
    return ok(userJson(context, await requireProfile(context.db, context.rest[0] ?? ''), batch));
  },
});
