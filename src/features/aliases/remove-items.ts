import { noContent, ok, type RequestContext, type ServiceResponse } from '../../services/service.ts';
import { givenPath, insideNavigationRoot, readItems } from './alias-items.ts';
import { readAliasPath } from './alias-path.ts';
import { removeAliases } from './statements/alias-rows.ts';

/** Removes the aliases that the body names, only those of `target` unless that is null. Says which were not there. */
export async function removeItems(context: RequestContext, target: number | null): Promise<ServiceResponse> {
  const wanted = readItems(context.body).map((item) => {
    const given = givenPath(item);
    const read = readAliasPath(item.path);
    const path = 'path' in read ? read.path : given;
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
