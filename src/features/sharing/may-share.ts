import { has } from '../../content/permissions.ts';
import { DELEGATE_ROLES, VIEW } from '../../security/permissions.ts';
import type { RequestContext } from '../../services/service.ts';

/** Whether the caller may see the content and decide on local roles there. */
export const mayShare = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, VIEW) && has(site, caller, resolved, DELEGATE_ROLES);
