import { has } from '../../content/permissions.ts';
import { DELEGATE_ROLES, VIEW } from '../../security/permissions.ts';
import type { Call } from '../service.ts';

/** Whether the caller may see the content and decide on local roles there. */
export const mayShare = ({ site, caller, located }: Call): boolean =>
  has(site, caller, located, VIEW) && has(site, caller, located, DELEGATE_ROLES);
