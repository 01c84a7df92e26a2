import { removeAliases } from '../../storage/statements/alias-rows.ts';
import { type Answer, type Call, noContent, ok } from '../service.ts';
import { givenPath, insideNavigationRoot, readItems } from './alias-items.ts';
import { readAliasPath } from './alias-path.ts';

/** Removes the aliases that the body names, only those of `target` unless that is null. Says which were not there. */
export async function removeItems(call: Call, target: number | null): Promise<Answer> {
  const wanted = readItems(call.body).map((item) => {
    const given = givenPath(item);
    const read = readAliasPath(item.path);
    const path = 'path' in read ? read.path : given;
    return {
      given,
      paths: [...new Set([given, path, ...(target === null ? [] : [insideNavigationRoot(call, path)])])],
    };
  });
  const removed = await removeAliases(
    call.db,
    wanted.flatMap(({ paths }) => paths),
    target,
  );
  const failed = wanted.filter(({ paths }) => !paths.some((path) => removed.has(path))).map(({ given }) => given);
  return failed.length > 0 ? ok({ type: 'error', failed }) : noContent();
}
