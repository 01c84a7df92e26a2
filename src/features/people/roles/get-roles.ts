import { VIEW } from '../../../security/permissions.ts';
import { defineService, ok } from '../../../services/service.ts';
import { givableRoles } from '../read-roles.ts';
import { roleJson } from './role-json.ts';

/** GET `@roles`: the roles that users and groups can be given. */
export const getRoles = defineService({
  name: '@roles',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'Lists the roles that users and groups can be given.',
  responses: { 200: { description: 'The roles.' } },
  run: async ({ site, base }) => ok(givableRoles(site).map((role) => roleJson(base, role))),
});
