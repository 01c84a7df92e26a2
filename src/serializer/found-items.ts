import type { FoundRow } from '../catalog/search-catalog.ts';
import { parseReference } from '../content/blocks/resolve-uid.ts';
import type { JsonObject } from '../lib/json-object.ts';
import { searchObjects } from '../storage/statements/load-content.ts';
import { renderFull } from './full-object.ts';
import type { RenderContext } from './render-context.ts';
import { summary } from './summary.ts';
import { loadTargets, uidsOf } from './targets.ts';

/** Results as summaries. Where links lead is looked up with one statement, and only when there are internal ones. */
export async function foundSummaries(context: RenderContext, rows: readonly FoundRow[]): Promise<JsonObject[]> {
  const links = rows.flatMap(({ fields: { remoteUrl } }) =>
    typeof remoteUrl === 'string' ? (parseReference(remoteUrl)?.uid ?? []) : [],
  );
  const targets = await loadTargets(context, new Set(links));
  const urlOfUid = (uid: string) => {
    const target = targets.get(uid);
    return target?.visible ? target.url : undefined;
  };
  return rows.map((row) => summary(context.site, context.base, row, context.metadataFields, urlOfUid));
}

/** Results as whole objects without their children. What is gone meanwhile is left out (plone.restapi, Q23). */
export async function foundObjects(context: RenderContext, rows: readonly FoundRow[]): Promise<JsonObject[]> {
  const found = await searchObjects(
    context.db,
    rows.map(({ oid }) => oid),
  );
  const targets = await loadTargets(
    context,
    uidsOf(
      context,
      found.map(({ object }) => object),
    ),
  );
  const items: JsonObject[] = [];
  for (const resolved of found) items.push(await renderFull(context, resolved, targets));
  return items;
}
