import { isDeepStrictEqual } from 'node:util';
import {
  type Caller,
  type ContentEvents,
  callers,
  contentRows,
  type Kernel,
  type ResolvedNode,
  reject,
  type Site,
  type Transaction,
} from '#core';
import { BadRequest } from '#lib/errors';
import { lockPrincipals } from '../people/statements/principals.ts';
import { delegableRoles } from './share-content.ts';

/** Local roles, and whether local roles of containers count. */
type Sharing = ContentEvents['content.shared']['before'];

/** The roles that only one of the two gives. */
function differingRoles(one: Sharing['localRoles'], other: Sharing['localRoles']): Set<string> {
  const principals = new Set([...Object.keys(one), ...Object.keys(other)]);
  return new Set(
    [...principals].flatMap((principal) => {
      const [first = [], second = []] = [one[principal], other[principal]];
      return [...first.filter((role) => !second.includes(role)), ...second.filter((role) => !first.includes(role))];
    }),
  );
}

/** Users and groups that get a role of `before` that they do not have in `after`. */
const principalsBack = (before: Sharing, after: Sharing): string[] =>
  Object.entries(before.localRoles)
    .filter(([principal, roles]) => roles.some((role) => !after.localRoles[principal]?.includes(role)))
    .map(([principal]) => principal)
    .filter((principal) => principal !== `group:${callers.AUTHENTICATED_USERS}`);

/**
 * Gives a locked object its former local roles. Throws BadRequest unless its present roles match `after`, or when a principal with a role is gone,
 * and Forbidden for roles that the caller may not delegate.
 */
export async function restoreSharing(
  kernel: Kernel,
  tx: Transaction,
  {
    caller,
    site,
    resolved,
    before,
    after,
  }: { caller: Caller; site: Site; resolved: ResolvedNode; before: Sharing; after: Sharing },
): Promise<void> {
  const { oid, path, localRoles, inheritRoles } = resolved.object;
  const now: Sharing = { localRoles, inheritRoles };
  if (!isDeepStrictEqual(now, { localRoles: after.localRoles, inheritRoles: after.inheritRoles }))
    throw new BadRequest(`The roles on ${path} have been changed since.`);
  const delegable = new Set(delegableRoles(site, caller, resolved).map(({ id }) => id));
  for (const role of differingRoles(before.localRoles, after.localRoles))
    if (!delegable.has(role)) reject(caller, `You may not give or take the role "${role}" on ${path}.`);
  const tokens = principalsBack(before, after);
  const known = await lockPrincipals(
    tx,
    tokens.map((token) => token.slice(token.indexOf(':') + 1)),
  );
  for (const token of tokens) {
    const id = token.slice(token.indexOf(':') + 1);
    const ids = token.startsWith('user:') ? known.users : known.groups;
    if (!ids.has(id)) throw new BadRequest(`The user or group "${id}" does not exist any more.`);
  }
  await contentRows.update(tx, oid, { localRoles: before.localRoles, inheritRoles: before.inheritRoles });
  await kernel.events.emit('content.shared', { oid, before: now, after: before }, { tx, caller });
}
