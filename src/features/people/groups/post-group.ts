import { MANAGE_USERS } from '../../../security/permissions.ts';
import { defineService } from '../../../services/service.ts';
import { createGroup } from '../create-group.ts';
import { groupJson, groupUrl, MEMBER_BATCH } from './group-json.ts';
import { Group, NewGroupBody } from './group-schemas.ts';
import { readGroup } from './read-group.ts';

/** POST `@groups`: a new group. */
export const postGroup = defineService({
  name: '@groups',
  method: 'POST',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Creates a group.',
  body: NewGroupBody,
  responses: {
    201: { description: 'The new group; its address is in the header Location.', schema: Group },
    400: { description: 'A problem for each field, in `error.errors`.' },
  },
  async run({ kernel, db, caller, base, body }) {
    const id = await createGroup(kernel, { caller, input: body });
    const batch = { start: 0, size: MEMBER_BATCH, query: new URLSearchParams() };
    return {
      status: 201,
      headers: { Location: groupUrl(base, id) },
      body: groupJson(base, await readGroup(db, id, batch), batch),
    };
  },
});
