import { Type } from 'typebox';
import { defineService, has, ok, type RequestContext, VIEW } from '#core';
import { addContentAliases, MANAGE_CONTEXT_ALIASES } from './add.ts';
import { parseAliasPath } from './addresses.ts';
import {
  ContentItems,
  FailedItems,
  insideNavigationRoot,
  itemList,
  REMOVED,
  RemoveAliasesBody,
  removeItems,
  sentPath,
} from './items.ts';
import { Aliases, AliasesQuery, aliasesJson } from './list.ts';

/** True if the caller may see content and manage its aliases. */
const mayManageAliases = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, VIEW) && has(site, caller, resolved, MANAGE_CONTEXT_ALIASES);

/** GET `@aliases` of content: the addresses that redirect to it. */
export const getAliases = defineService({
  name: '@aliases',
  method: 'GET',
  context: 'content',
  permission: MANAGE_CONTEXT_ALIASES,
  checkPermission: mayManageAliases,
  summary: 'Lists other addresses that lead to the content.',
  query: AliasesQuery,
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
  body: Type.Object({ items: ContentItems }, { examples: [{ items: [{ path: '/old-news' }] }] }),
  responses: {
    200: { description: 'Some could not be added.', schema: FailedItems },
    201: { description: 'All are added.' },
  },
  async run(context) {
    const now = new Date();
    const wanted = itemList(context.body.items).map((item) => {
      const parsed = parseAliasPath(item.path);
      const path = 'path' in parsed ? insideNavigationRoot(context, parsed.path) : undefined;
      return { path, created: item.datetime ?? now, sent: sentPath(item) };
    });
    const aliases = wanted.flatMap(({ path, created }) => (path === undefined ? [] : { path, created }));
    const problems = await addContentAliases(context.kernel, {
      caller: context.caller,
      path: context.resolved.object.path,
      aliases,
    });
    const failed = wanted.filter(({ path }) => path === undefined || problems.has(path)).map(({ sent }) => sent);
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
  responses: REMOVED,
  run: (context) => removeItems(context, itemList(context.body.items), context.resolved.object.oid),
});
