import {
  ADD,
  contentPath,
  DELETE,
  locate,
  panelSettings,
  panels,
  publishing,
  references,
  requirePermission,
  tree,
  VIEW,
} from '#core';
import { ClientError, NotFound } from '#lib/errors';
import { closedRelations } from '../../relations/relation-change.ts';
import { linkBreaches } from '../../relations/statements.ts';
import type { Operation, Selected, Subject } from './operation.ts';

/** Path of the container with a UID, if the caller may view it and add to it. */
async function pathOfContainer({ kernel, tx, caller }: Subject, uid: string): Promise<string> {
  const path = (await references.pathsOfUids(tx, [uid])).get(uid) ?? '';
  const { site, resolved } = await locate(kernel, path, tx);
  if (!resolved) throw new NotFound(path, 'The container is gone.');
  requirePermission(site, caller, resolved, VIEW);
  requirePermission(site, caller, resolved, ADD);
  return path;
}

/** Moves content into a container. Content below other content of the selection goes along with it. */
export const moveInto = (uid: string): Operation => ({
  container: { uid, lockMode: 'add-inside' },
  async apply(subject) {
    const { kernel, tx, caller, resolved } = subject;
    const target = await pathOfContainer(subject, uid);
    const sources = [{ uid: resolved.object.uid }];
    const [moved] = await tree.move(kernel, { caller, target, sources, lockToken: undefined }, { tx });
    if (!moved) throw new NotFound(resolved.object.path);
    return { changed: moved.source !== moved.target, target: moved.target };
  },
  wentAlong: ({ present }, { target }) =>
    present !== undefined && target !== null && present !== target && contentPath.isAtOrBelow(present, target),
});

/** Copies content into a container, with what is below it. */
export const copyInto = (uid: string): Operation => ({
  container: { uid, lockMode: 'change' },
  async apply(subject) {
    const { kernel, tx, caller, resolved } = subject;
    const target = await pathOfContainer(subject, uid);
    const [copied] = await tree.copy(kernel, { caller, target, sources: [{ uid: resolved.object.uid }] }, { tx });
    if (!copied) throw new NotFound(resolved.object.path);
    return { changed: true, target: copied.target };
  },
  wentAlong: ({ present }, { path }) =>
    present !== undefined && present !== path && contentPath.isAtOrBelow(present, path),
});

/** Maximum number of sources of links that an error names. */
const MAX_NAMED = 3;

/** Throws for content that other content links to, unless the other content is removed as well or the caller may not view it. */
async function requireUnlinked({ tx, site, caller, resolved }: Subject, going: readonly string[]): Promise<void> {
  if (panelSettings(site, panels.editing).enable_link_integrity_checks === false) return;
  const { uid } = resolved.object;
  const breaches = await linkBreaches(tx, {
    uids: [...new Set([uid, ...going])],
    ...publishing.viewersOf(site, caller),
    closed: closedRelations(site),
    limit: MAX_NAMED + 1,
  });
  const own = breaches.filter(({ target }) => target === uid);
  if (own.length === 0) return;
  const named = own.map(({ path }) => path).slice(0, MAX_NAMED);
  const paths = [...named, ...(own.length > MAX_NAMED ? ['…'] : [])].join(', ');
  throw new ClientError(
    409,
    'LinkIntegrity',
    `Other content links here: ${paths}. Send "ignore_links" to remove it nevertheless.`,
  );
}

/** Removes content with everything below it. Without `ignoreLinks` the removal is rejected if content that stays links to it. */
export const remove = (ignoreLinks: boolean, selection: readonly Selected[]): Operation => {
  const going = selection.map(({ uid }) => uid);
  return {
    async apply(subject) {
      const { kernel, tx, caller, resolved } = subject;
      requirePermission(subject.site, caller, resolved, DELETE);
      if (!ignoreLinks) await requireUnlinked(subject, going);
      await tree.remove(kernel, { caller, path: resolved.object.path, lockToken: undefined }, { tx });
      return { changed: true };
    },
    wentAlong: ({ present, path }, other) => present === undefined && contentPath.isAtOrBelow(path, other.path),
  };
};
