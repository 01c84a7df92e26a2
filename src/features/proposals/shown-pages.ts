import { findContents, type RequestContext, requests } from '#core';
import type { StoredProposal } from './statements/proposals.ts';

/** Kinds of writes that change the object at their address. The others add to a container, or only read. */
const CHANGING: ReadonlySet<string> = new Set(['change', 'remove', 'transition']);

/** The parts of a path from the root of the site. Throws NotFound and BadRequest for what is no path. */
export const placeOf = (target: string) =>
  requests.addressOf(target, { scheme: 'http', host: 'localhost', publicUrl: undefined, trusted: false });

/** The path of an address of the site; none for another address. */
function pathIn(base: string, address: string): string[] {
  if (address !== base && !address.startsWith(`${base}/`)) return [];
  return [placeOf(address.slice(base.length) || '/').path];
}

/**
 * The paths of the objects that a proposal has changed, moved or made, each once and in the order of its requests. For the transaction in which
 * its writes are done: `made` are the addresses of what they have made.
 */
export async function pagesOf(
  { kernel, base }: Pick<RequestContext, 'kernel' | 'base'>,
  { targets }: Pick<StoredProposal, 'targets'>,
  made: readonly string[],
): Promise<string[]> {
  const changed = targets.filter(({ kind }) => CHANGING.has(kind)).map(({ uid }) => uid);
  const present = await findContents(kernel.db, { uids: [...new Set(changed)] });
  const byUid = new Map(present.map(({ object: { uid, path } }) => [uid, path]));
  const paths = [...changed.flatMap((uid) => byUid.get(uid) ?? []), ...made.flatMap((one) => pathIn(base, one))];
  return [...new Set(paths)];
}
