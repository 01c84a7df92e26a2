import { has, type RequestContext } from '#core';

/** To make releases, change them and read them. */
export const MAKE = 'canopy: Make releases';
/** To publish releases, now or at a time, to undo them, and to give out links that show them. */
export const PUBLISH = 'canopy: Publish releases';

/** The roles that have the permissions on sites without other settings. */
export const RELEASE_PERMISSIONS = {
  [MAKE]: ['Contributor', 'Editor', 'Reviewer', 'Site Administrator', 'Manager'],
  [PUBLISH]: ['Reviewer', 'Site Administrator', 'Manager'],
};

type Asking = Pick<RequestContext, 'site' | 'caller' | 'resolved'>;

/** Says if the caller is logged in and may publish releases. The context is that of the site root. */
export const mayPublish = ({ site, caller, resolved }: Asking): boolean =>
  caller.id !== null && has(site, caller, resolved, PUBLISH);

/** Says if the caller is logged in and may make releases, or publish them. The context is that of the site root. */
const mayMake = (context: Asking): boolean =>
  context.caller.id !== null && (has(context.site, context.caller, context.resolved, MAKE) || mayPublish(context));

/** The declarations that all services of releases share: they are at the root of the site. */
export const common = { name: '@releases', context: 'site', permission: null, checkPermission: mayMake } as const;
