import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { isAtOrBelow } from '../../content/tree-path.ts';
import { BadRequest } from '../../lib/errors.ts';
import { parseInstant } from '../../lib/iso-date.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { VIEW } from '../../security/permissions.ts';
import { navigationRoot } from '../../serializer/components/navigation-root.ts';
import { documented, documentedQuery } from '../../services/openapi/documented.ts';
import { defineService, noContent, ok, type RequestContext, type ServiceResponse } from '../../services/service.ts';
import { addContentAliases, MANAGE_CONTEXT_ALIASES } from './add.ts';
import { parseAliasPath } from './addresses.ts';
import { Aliases, AliasesQuery, aliasesJson } from './list.ts';
import { removeAliases } from './statements.ts';

const Path = Type.String({ description: 'The path, beginning with a slash; it may have a query string.' });
const Created = Type.Optional(Type.String({ description: 'When it was made: now unless given.' }));

/** The body of POST `@aliases` on content. */
export const ContentAliasesBody = Type.Object(
  {
    items: Type.Optional(
      documented(
        Type.Union([Path, Type.Array(Type.Union([Path, Type.Object({ path: Path, datetime: Created })]))], {
          description: 'Aliases that lead here.',
        }),
        { required: true },
      ),
    ),
  },
  { additionalProperties: true, examples: [{ items: [{ path: '/old-news' }] }] },
);

/** The body of POST `@aliases` on the site: `items`, or in a form the file. */
export const SiteAliasesBody = Type.Object(
  {
    items: Type.Optional(
      documented(
        Type.Array(
          Type.Object({
            path: Path,
            'redirect-to': Type.String({ description: 'Path of content, or an http or https address.' }),
            datetime: Created,
          }),
        ),
      ),
    ),
    file: Type.Optional(
      documented(
        Type.String({
          description: 'As a part of multipart/form-data: CSV with old path, new path, datetime, manual.',
        }),
      ),
    ),
  },
  { additionalProperties: true, examples: [{ items: [{ path: '/old-news', 'redirect-to': '/news' }] }] },
);

/** The body of DELETE `@aliases`. */
export const RemoveAliasesBody = Type.Object(
  {
    items: Type.Optional(
      documented(Type.Array(Type.Union([Path, Type.Object({ path: Path })]), { description: 'Aliases to remove.' }), {
        required: true,
      }),
    ),
  },
  { additionalProperties: true, examples: [{ items: [{ path: '/old-news' }] }] },
);

/** The response when some of the items failed. */
export const FailedItems = Type.Object({
  type: Type.Literal('error'),
  failed: Type.Array(Type.String({ description: 'The path, as it was sent.' })),
});

/** Whether the caller may see content and manage its aliases. */
export const mayManageAliases = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, VIEW) && has(site, caller, resolved, MANAGE_CONTEXT_ALIASES);

/** GET `@aliases` of content: the addresses that redirect to it. */
export const getAliases = defineService({
  name: '@aliases',
  method: 'GET',
  context: 'content',
  permission: MANAGE_CONTEXT_ALIASES,
  checkPermission: mayManageAliases,
  summary: 'Lists other addresses that lead to the content.',
  query: documentedQuery(AliasesQuery),
  responses: { 200: { description: 'The aliases by path.', schema: Aliases } },
  run: async (context) => ok(await aliasesJson(context, context.resolved.object.oid)),
});

/** POST `@aliases` on content: adds addresses that redirect to it. */
export const postAliases = defineService({
  name: '@aliases',
  method: 'POST',
  context: 'content',
  permission: MANAGE_CONTEXT_ALIASES,
  checkPermission: mayManageAliases,
  summary: 'Adds other addresses that lead to the content. Those that can be are added, the others are named.',
  body: ContentAliasesBody,
  responses: {
    200: { description: 'Some could not be added.', schema: FailedItems },
    201: { description: 'All are added.' },
  },
  async run(context) {
    const now = new Date();
    const wanted = parseItems(context.body).map((item) => {
      const parsed = parseAliasPath(item.path);
      const path = 'path' in parsed ? insideNavigationRoot(context, parsed.path) : undefined;
      return { path, created: parseCreated(item, now), given: sentPath(item) };
    });
    const aliases = wanted.flatMap(({ path, created }) => (path === undefined ? [] : { path, created }));
    const problems = await addContentAliases(context.kernel, {
      caller: context.caller,
      path: context.resolved.object.path,
      aliases,
    });
    const failed = wanted.filter(({ path }) => path === undefined || problems.has(path)).map(({ given }) => given);
    return failed.length > 0 ? ok({ type: 'error', failed }) : { status: 201 };
  },
});

/** DELETE `@aliases` of content: removes addresses that redirect to it. */
export const deleteAliases = defineService({
  name: '@aliases',
  method: 'DELETE',
  context: 'content',
  permission: MANAGE_CONTEXT_ALIASES,
  checkPermission: mayManageAliases,
  summary: 'Removes addresses that lead to the content.',
  body: RemoveAliasesBody,
  responses: {
    200: { description: 'Some do not lead here.', schema: FailedItems },
    204: { description: 'All are removed.' },
  },
  run: (context) => removeItems(context, context.resolved.object.oid),
});

/** `items` of a body as objects: it may be one path, a list of paths, or a list of objects with `path`, as Volto sends. */
export function parseItems({ items }: JsonObject): JsonObject[] {
  if (items === undefined || items === null) throw new BadRequest("Property 'items' is required.");
  const list: unknown[] = Array.isArray(items) ? items : [items];
  return list.map((item) => {
    if (typeof item === 'string') return { path: item };
    if (!isJsonObject(item)) throw new BadRequest('"items" must be a list of paths or of objects with "path".');
    return item;
  });
}

/** The creation date of an item; `now` when it has none. Throws BadRequest for anything but a date. */
export function parseCreated({ datetime }: JsonObject, now: Date): Date {
  if (datetime === undefined || datetime === null || datetime === '') return now;
  const created = typeof datetime === 'string' ? parseInstant(datetime) : undefined;
  if (!created) throw new BadRequest('"datetime" must be a date, such as 2026-05-01 or 2026-05-01T10:00:00Z.');
  return created;
}

/** Puts a path below the navigation root of the content unless it is there already (plone.restapi §7, `@aliases`). */
export function insideNavigationRoot({ site, resolved }: RequestContext, path: string): string {
  const [root] = navigationRoot(site, resolved);
  return isAtOrBelow(path, root.path) || !path.startsWith('/') ? path : root.path + path;
}

/** The path of an item as the client sent it, for responses. */
export const sentPath = ({ path }: JsonObject): string =>
  typeof path === 'string' ? path : JSON.stringify(path ?? null);

/** Removes the aliases that the body names; with a `target` only those that lead to it. Reports those that do not exist. */
export async function removeItems(context: RequestContext, target: number | null): Promise<ServiceResponse> {
  const wanted = parseItems(context.body).map((item) => {
    const given = sentPath(item);
    const parsed = parseAliasPath(item.path);
    const path = 'path' in parsed ? parsed.path : given;
    return {
      given,
      paths: [...new Set([given, path, ...(target === null ? [] : [insideNavigationRoot(context, path)])])],
    };
  });
  const removed = await removeAliases(
    context.db,
    wanted.flatMap(({ paths }) => paths),
    target,
  );
  const failed = wanted.filter(({ paths }) => !paths.some((path) => removed.has(path))).map(({ given }) => given);
  return failed.length > 0 ? ok({ type: 'error', failed }) : noContent();
}
