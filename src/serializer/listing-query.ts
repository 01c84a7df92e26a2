import type { CatalogQuery } from '../catalog/query.ts';
import { isTimeZone } from '../catalog/querystring/day-start.ts';
import type { Row } from '../catalog/querystring/operations.ts';
import { queryOfRows, referencesIn } from '../catalog/querystring/query-of-rows.ts';
import { panelSettings } from '../site/panel.ts';
import { dateAndTimePanel } from '../site/panels/general.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import { catalogAddresses } from '../storage/statements/references.ts';
import { navigationRoot } from './components/navigation-root.ts';
import type { RenderContext } from './render-context.ts';

/** The time zone of the site: UTC unless its setting names one that this system knows. */
function timeZone({ site }: RenderContext): string {
  const name = panelSettings(site, dateAndTimePanel).portal_timezone;
  return isTimeZone(name) ? name : 'UTC';
}

/**
 * The conditions of a listing on an object as a query; undefined when they list nothing. One statement when they name
 * objects by UID. Throws BadRequest.
 */
export async function listingQuery(
  context: RenderContext,
  resolved: ResolvedNode,
  rows: readonly Row[],
): Promise<Pick<CatalogQuery, 'constraints' | 'paths'> | undefined> {
  // Conditions may be relative to the present time.
  context.noCache?.();
  const { uids, paths } = referencesIn(rows);
  const known = uids.length + paths.length > 0 ? await catalogAddresses(context.db, uids, paths) : [];
  const pathByUid = new Map(known.map(({ uid, path }) => [uid, path]));
  const uidByPath = new Map(known.map(({ uid, path }) => [path, uid]));
  return queryOfRows(rows, context.site.catalog, {
    now: new Date(),
    timeZone: timeZone(context),
    user: context.caller.id,
    context: resolved.object.path,
    navigationRoot: navigationRoot(context.site, resolved)[0].path,
    pathOf: (uid) => pathByUid.get(uid),
    uidOf: (path) => uidByPath.get(path),
  });
}
