import { type Caller, contentPath, has, type JobAction, locate, MANAGE_PORTAL, type RequestContext } from '#core';
import { Forbidden } from '#lib/errors';

/** Says if a caller may move sites: only Managers of the whole site, because an export has users with any roles, and all content. */
const mayMoveSites = ({ roles }: Pick<Caller, 'roles'>, isAllowed: boolean): boolean =>
  isAllowed && roles.includes('Manager');

/** The context and the permission of services that move sites. */
export const FOR_MANAGERS = {
  context: 'site',
  permission: MANAGE_PORTAL,
  checkPermission: ({ site, caller, resolved }: RequestContext) =>
    mayMoveSites(caller, has(site, caller, resolved, MANAGE_PORTAL)),
} as const;

/** Throws Forbidden with a message unless the user of a job may still move sites. */
export async function requireManager(
  { kernel, caller }: Pick<Parameters<JobAction['run']>[0], 'kernel' | 'caller'>,
  message: string,
): Promise<void> {
  const { site, resolved } = await locate(kernel, contentPath.ROOT);
  if (!resolved || !mayMoveSites(caller, has(site, caller, resolved, MANAGE_PORTAL))) throw new Forbidden(message);
}
