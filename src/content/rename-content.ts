import { BadRequest } from '../lib/errors.ts';
import type { Caller } from '../security/caller.ts';
import type { Kernel } from '../site/kernel.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import type { Transaction } from '../storage/database.ts';
import { rememberMove } from '../storage/statements/redirects.ts';
import { renameSubtree } from '../storage/statements/subtrees.ts';
import { takenNames } from '../storage/statements/write-content.ts';
import { checkName, checkPathLength } from './name-chooser.ts';
import { checkSubtreePaths } from './relocate-paths.ts';
import { childPath, parentPath } from './tree-path.ts';

/**
 * Gives an object another id. Everything below follows, and old addresses lead to the new ones.
 * The object and its container are held, so that nobody takes the name meanwhile. Answers the new path. Throws
 * BadRequest when the id is taken or no id.
 */
export async function renameContent(
  kernel: Kernel,
  tx: Transaction,
  { caller, resolved, name: wished }: { caller: Caller; resolved: ResolvedNode; name: unknown },
): Promise<string> {
  const { object } = resolved;
  const container = parentPath(object.path);
  if (container === undefined || object.parent === null) throw new BadRequest('The site root cannot be renamed.');
  const name = checkName(wished);
  if ((await takenNames(tx, object.parent, name)).has(name))
    throw new BadRequest(`The id "${name}" is already in use here. Choose another one.`);
  const to = checkPathLength(childPath(container, name));
  await checkSubtreePaths(tx, object.path, to);
  await renameSubtree(tx, { oid: object.oid, name, from: object.path, to });
  await rememberMove(tx, object.path, to);
  await kernel.events.emit('content.moved', { oid: object.oid, from: object.path, to }, { tx, caller });
  return to;
}
