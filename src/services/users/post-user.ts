import { has } from '../../content/permissions.ts';
import { createUser } from '../../people/create-user.ts';
import { ADD_MEMBER } from '../../people/permissions.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import { defineService } from '../service.ts';
import { needProfile } from './need-profile.ts';
import { userJson, userUrl } from './user-json.ts';
import { NewUserBody, User } from './user-schemas.ts';

/** POST `@users`: a new user. */
export const postUser = defineService({
  name: '@users',
  method: 'POST',
  context: 'site',
  permission: ADD_MEMBER,
  checkPermission: ({ site, caller, located }) =>
    has(site, caller, located, ADD_MEMBER) || has(site, caller, located, MANAGE_USERS),
  summary: 'Creates a user, with the role Member unless roles are given.',
  body: NewUserBody,
  responses: {
    201: { description: 'The new user; its address is in the header Location.', schema: User },
    400: { description: 'A problem for each field, in `error.errors`.' },
  },
  async run({ kernel, db, caller, base, body }) {
    const id = await createUser(kernel, { caller, input: body });
    return { status: 201, headers: { Location: userUrl(base, id) }, body: userJson(base, await needProfile(db, id)) };
  },
});
