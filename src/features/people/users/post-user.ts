import { has, requirePermission } from '../../../content/permissions.ts';
import { MANAGE_USERS } from '../../../security/permissions.ts';
import { defineService, type RequestContext, type ServiceResponse } from '../../../services/service.ts';
import { createUser } from '../create-user.ts';
import { importUsers } from '../import-users.ts';
import { ADD_MEMBER } from '../permissions.ts';
import { mayRegister } from '../self-registration.ts';
import { profilesById } from '../statements/people-profiles.ts';
import { MAX_PORTRAIT_BODY } from './max-portrait-body.ts';
import { requireProfile } from './need-profile.ts';
import { userJson, userUrl } from './user-json.ts';
import { NewUserBody, User } from './user-schemas.ts';

/** Makes the users of a CSV file. */
async function postFile(context: RequestContext, text: string): Promise<ServiceResponse> {
  const { kernel, db, site, caller, resolved } = context;
  requirePermission(site, caller, resolved, MANAGE_USERS);
  const ids = await importUsers(kernel, { caller, text });
  const made = new Map((await profilesById(db, ids)).map((user) => [user.id, user]));
  const items = ids.flatMap((id) => made.get(id) ?? []).map((user) => userJson(context, user));
  return { status: 201, body: { items, items_total: items.length } };
}

/** POST `@users`: a new user, or the users of a CSV file. */
export const postUser = defineService({
  name: '@users',
  method: 'POST',
  context: 'site',
  permission: ADD_MEMBER,
  checkPermission: ({ site, caller, resolved }) =>
    has(site, caller, resolved, ADD_MEMBER) || has(site, caller, resolved, MANAGE_USERS) || mayRegister(site, caller),
  summary:
    'Creates a user, with the role Member unless roles are given; or all users of the CSV file in the part `file` of a form.',
  body: NewUserBody,
  accepts: ['multipart/form-data'],
  bodyLimit: MAX_PORTRAIT_BODY,
  responses: {
    201: {
      description: 'The new user; its address is in the header Location. Of a file: the new users, as items.',
      schema: User,
    },
    400: { description: 'A problem for each field, in `error.errors`; of a file, with its line.' },
    429: { description: 'Too many registrations from one network.' },
  },
  async run(context) {
    const { kernel, db, caller, base, body, clientAddress } = context;
    if (typeof body.file === 'string') return postFile(context, body.file);
    const id = await createUser(kernel, { caller, input: body, address: clientAddress });
    return {
      status: 201,
      headers: { Location: userUrl(base, id) },
      body: userJson(context, await requireProfile(db, id)),
    };
  },
});
