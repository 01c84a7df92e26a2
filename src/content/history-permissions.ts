import type { Caller } from '../security/caller.ts';
import { REVIEW } from '../security/permissions.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import { has } from './permissions.ts';

/** Reading former versions and who made them (Products.CMFEditions). */
export const ACCESS_VERSIONS = 'CMFEditions: Access previous versions';
/** Making a former version the present one; `Modify portal content` is needed beside it. */
export const REVERT_VERSIONS = 'CMFEditions: Revert to previous versions';

/** Who may ask for a review or give one may read the names and comments of earlier ones (Plone's guard of `review_history`). */
const REVIEW_PERMISSIONS = ['Request review', REVIEW];

/** Whether the caller may read who changed the state of an object, and with which comment. */
export const mayReadReviews = (site: Site, caller: Caller, resolved: ResolvedNode): boolean =>
  REVIEW_PERMISSIONS.some((permission) => has(site, caller, resolved, permission));
