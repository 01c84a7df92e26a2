import { NotFound } from '../../../lib/errors.ts';
import { VIEW } from '../../../security/permissions.ts';
import { defineService, ok } from '../../../services/service.ts';
import { givableRoles } from '../read-roles.ts';
import { roleJson } from './role-json.ts';

/** GET `@roles/<id>`: one role, at the address that the list gives it. */
export const getRole = defineService({
  name: '@roles',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'Represents a role.',
  rest: ['{id}'],
  responses: { 200: { description: 'The role.' }, 404: { description: 'There is no such role.' } },
  async run({ site, base, rest }) {
    const role = givableRoles(site).find(({ id }) => id === rest[0]);
    if (!role) throw new NotFound(`/@roles/${rest[0]}`);
    return ok(roleJson(base, role));
  },
});
