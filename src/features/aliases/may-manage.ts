import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import type { RequestContext } from '../../services/service.ts';
import { MANAGE_CONTEXT_ALIASES } from './alias-add.ts';

/** Whether the caller may see content and manage its aliases. */
export const mayManageAliases = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, VIEW) && has(site, caller, resolved, MANAGE_CONTEXT_ALIASES);
