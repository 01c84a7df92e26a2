import { MANAGE_CONTEXT_ALIASES } from '../../content/alias-add.ts';
import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import type { Call } from '../service.ts';

/** Whether the caller may see content and manage its aliases. */
export const mayManageAliases = ({ site, caller, located }: Call): boolean =>
  has(site, caller, located, VIEW) && has(site, caller, located, MANAGE_CONTEXT_ALIASES);
