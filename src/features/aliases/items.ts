import { Type } from 'typebox';
import {
  contentPath,
  coreComponents,
  noContent,
  ok,
  type RequestContext,
  type ResultOf,
  redirectRows,
  schemas,
} from '#core';
import { parseInstant } from '#lib/time/iso-date';
import { parseAliasPath } from './addresses.ts';

/** The path of an item. A value that cannot be a path is reported like a path that cannot be an alias, not rejected. */
const ItemPath = Type.Unknown({ description: 'The path, beginning with a slash; it may have a query string.' });

/** The creation time of the alias of an item. `run` gets undefined for null and an empty text, which mean now. */
const Created = Type.Optional(
  Type.Decode(
    Type.Refine(
      schemas.Nullable(Type.String(), { description: 'When it was made: now unless given.' }),
      (text) => text === null || text === '' || parseInstant(text) !== undefined,
    ),
    (text) => (text === null ? undefined : parseInstant(text)),
  ),
);

const required = "Property 'items' is required.";

/** Items of content: one or several, each a path or an object (Volto sends all of these forms). */
const ContentItem = Type.Union([Type.String(), Type.Object({ path: ItemPath, datetime: Created })]);
export const ContentItems = Type.Union([ContentItem, Type.Array(ContentItem)], {
  description: 'Aliases that lead here: paths, or objects with their paths and dates.',
  reject: {
    required,
    other: '"items" must be a list of paths or of objects with "path", and "datetime" a date, such as 2026-05-01.',
  },
});

/** Items of the site. */
const SiteItem = Type.Object({
  path: ItemPath,
  'redirect-to': Type.Unknown({ description: 'Path of content, or an http or https address.' }),
  datetime: Created,
});
export const SiteItems = Type.Union([SiteItem, Type.Array(SiteItem)], {
  description: 'Aliases to add.',
  reject: '"items" must be a list of objects with "path" and "redirect-to", and "datetime" a date, such as 2026-05-01.',
});

/** Items to remove: one or several, each a path or an object with a path. */
const RemovedItem = Type.Union([
  Type.String(),
  Type.Object({ path: ItemPath }, { additionalProperties: true, description: 'An alias as the list has it.' }),
]);
const RemovedItems = Type.Union([RemovedItem, Type.Array(RemovedItem)], {
  description: 'Aliases to remove: paths, or objects with their paths.',
  reject: { required, other: '"items" must be a list of paths or of objects with "path".' },
});

/** The body of DELETE `@aliases`. */
export const RemoveAliasesBody = Type.Object(
  { items: RemovedItems },
  { examples: [{ items: [{ path: '/old-news' }] }] },
);

/** The response when some of the items failed. */
export const FailedItems = Type.Object({
  type: Type.Literal('error'),
  failed: Type.Array(Type.String({ description: 'The path, as it was sent.' })),
});

/** The responses to DELETE `@aliases`. */
export const REMOVED = {
  200: { description: 'Some are no aliases, or lead elsewhere.', schema: FailedItems },
  204: { description: 'All are removed.' },
};

/** An item of a body; without a date its alias is created now. */
type ObjectItem = { path: unknown; datetime?: Date | undefined };

/** The items of a body as a list of objects. */
export function itemList<Item extends ObjectItem>(items: string | Item | (string | Item)[]): ObjectItem[] {
  const list = Array.isArray(items) ? items : [items];
  return list.map((item) => (typeof item === 'string' ? { path: item } : item));
}

/** Puts a path below the navigation root of the content unless it is there already (plone.restapi §7, `@aliases`). */
export function insideNavigationRoot({ site, resolved }: RequestContext, path: string): string {
  const [root] = coreComponents.navigationRoot(site, resolved);
  return contentPath.isAtOrBelow(path, root.path) || !path.startsWith('/') ? path : root.path + path;
}

/** The path of an item as the client sent it, for responses. */
export const sentPath = ({ path }: { path: unknown }): string =>
  typeof path === 'string' ? path : JSON.stringify(path ?? null);

/** Removes the aliases of these items; with a `target` only aliases that lead to it. Reports aliases that do not exist. */
export async function removeItems(
  context: RequestContext,
  items: readonly { path: unknown }[],
  target: number | null,
): Promise<ResultOf<typeof REMOVED>> {
  const wanted = items.map((item) => {
    const sent = sentPath(item);
    const parsed = parseAliasPath(item.path);
    const path = 'path' in parsed ? parsed.path : sent;
    return {
      sent,
      paths: [...new Set([sent, path, ...(target === null ? [] : [insideNavigationRoot(context, path)])])],
    };
  });
  const { kernel, caller, resolved } = context;
  const removed = await kernel.db.transaction(async (tx) => {
    const paths = wanted.flatMap((item) => item.paths);
    const gone = await redirectRows.removeRedirects(tx, paths, target);
    const change = { change: 'removed', redirects: gone, path: resolved.object.path } as const;
    if (gone.length > 0) await kernel.events.emit('site.aliases', change, { tx, caller });
    return new Set(gone.map(({ path }) => path));
  });
  const failed = wanted.filter(({ paths }) => !paths.some((path) => removed.has(path))).map(({ sent }) => sent);
  return failed.length > 0 ? ok({ type: 'error', failed }) : noContent();
}
