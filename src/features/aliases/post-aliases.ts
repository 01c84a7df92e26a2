import { defineService, ok } from '../../services/service.ts';
import { addContentAliases, MANAGE_CONTEXT_ALIASES } from './alias-add.ts';
import { ContentAliasesBody, Failed } from './alias-bodies.ts';
import { givenPath, insideNavigationRoot, readCreated, readItems } from './alias-items.ts';
import { readAliasPath } from './alias-path.ts';
import { mayManageAliases } from './may-manage.ts';

/** POST `@aliases` on content: other addresses lead here from now on. */
export const postAliases = defineService({
  name: '@aliases',
  method: 'POST',
  context: 'content',
  permission: MANAGE_CONTEXT_ALIASES,
  checkPermission: mayManageAliases,
  summary: 'Adds other addresses that lead to the content. Those that can be are added, the others are named.',
  body: ContentAliasesBody,
  responses: {
    200: { description: 'Some could not be added.', schema: Failed },
    201: { description: 'All are added.' },
  },
  async run(context) {
    const now = new Date();
    const wanted = readItems(context.body).map((item) => {
      const read = readAliasPath(item.path);
      const path = 'path' in read ? insideNavigationRoot(context, read.path) : undefined;
      return { path, created: readCreated(item, now), given: givenPath(item) };
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
