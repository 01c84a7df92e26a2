import { isAtOrBelow } from '../../content/tree-path.ts';
import { BadRequest } from '../../lib/errors.ts';
import { parseInstant } from '../../lib/iso-date.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { navigationRoot } from '../../serializer/components/navigation-root.ts';
import type { RequestContext } from '../../services/service.ts';

/** `items` of a body as objects: one path, a list of paths, or a list of objects with `path` (volto-contract, 35 and 37). */
export function readItems({ items }: JsonObject): JsonObject[] {
  if (items === undefined || items === null) throw new BadRequest("Property 'items' is required.");
  const list: unknown[] = Array.isArray(items) ? items : [items];
  return list.map((item) => {
    if (typeof item === 'string') return { path: item };
    if (!isJsonObject(item)) throw new BadRequest('"items" must be a list of paths or of objects with "path".');
    return item;
  });
}

/** When an alias was made: as the item says, else now. Throws BadRequest for what is no date. */
export function readCreated({ datetime }: JsonObject, now: Date): Date {
  if (datetime === undefined || datetime === null || datetime === '') return now;
  const created = typeof datetime === 'string' ? parseInstant(datetime) : undefined;
  if (!created) throw new BadRequest('"datetime" must be a date, such as 2026-05-01 or 2026-05-01T10:00:00Z.');
  return created;
}

/** An alias of content inside a navigation root lies inside it, too (plone.restapi §7, `@aliases`). */
export function insideNavigationRoot({ site, resolved }: RequestContext, path: string): string {
  const [root] = navigationRoot(site, resolved);
  return isAtOrBelow(path, root.path) || !path.startsWith('/') ? path : root.path + path;
}

/** A path as the client wrote it, for an answer. */
export const givenPath = ({ path }: JsonObject): string =>
  typeof path === 'string' ? path : JSON.stringify(path ?? null);
