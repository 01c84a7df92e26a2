import { ACCESS_VERSIONS, has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import type { RequestContext } from '../service.ts';

/** Whether the caller may read former versions: who may not view the present one may not view those either. */
export const mayReadVersions = ({ site, caller, resolved }: RequestContext): boolean =>
  [VIEW, ACCESS_VERSIONS].every((permission) => has(site, caller, resolved, permission));
