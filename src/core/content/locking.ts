import { randomUUID } from 'node:crypto';
import { Forbidden, NotFound, PreconditionFailed } from '../../lib/errors.ts';
import { editingPanel } from '../configuration/panels/content.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { MODIFY } from '../security/permissions.ts';
import type { Lock, ResolvedNode } from '../types/content-row.ts';
import { stateMark } from './base-state.ts';
import { locateForWrite } from './locate.ts';
import { formToken, keyOfLock, openedToken, opensLock } from './opened-token.ts';
import { requirePermission } from './permissions.ts';
import { updateContentRow } from './statements/write-content.ts';

/** Seconds that a lock lasts unless its taker says otherwise. */
export const DEFAULT_TIMEOUT = 600;
/** Longest time of a lock, in seconds. */
export const MAX_TIMEOUT = 4_294_967_280;

/** Name of the lock that content has while it has a working copy (plone.app.iterate). It ends only with the working copy. */
const WORKING_COPY_LOCK = 'iterate.lock';

/** Makes the lock of content that is checked out: nobody can steal it, and it does not expire (plone.app.iterate). */
export const workingCopyLock = (caller: Caller, now: Date): Lock => ({
  token: randomUUID(),
  creator: caller.id ?? '',
  creator_name: caller.fullname || (caller.id ?? ''),
  created: now.toISOString(),
  timeout: MAX_TIMEOUT,
  stealable: false,
  name: WORKING_COPY_LOCK,
});

/** The lock that counts now; undefined for an expired one. */
export function activeLock(object: { lock: Lock | null }, now = Date.now()): Lock | undefined {
  const { lock } = object;
  return lock && Date.parse(lock.created) + lock.timeout * 1000 > now ? lock : undefined;
}

/**
 * Throws Forbidden when the object is locked and `token` is not that of the lock, for every caller (plone.restapi, C29). No token
 * opens content that is checked out: its changes would be lost at the check-in.
 */
export function requireUnlocked(object: { lock: Lock | null }, token: string | undefined): void {
  const lock = activeLock(object);
  if (lock?.name === WORKING_COPY_LOCK)
    throw new Forbidden('There is a working copy of this. Check it in or cancel it first.');
  if (lock && !opensLock(lock, token)) {
    throw new Forbidden(
      `Resource is locked by ${lock.creator_name || lock.creator}. Send the header Lock-Token with the token of your lock.`,
    );
  }
}

/** A token of the lock that somebody who edits the object has; undefined without one, and for content that is checked out. */
export function editorsToken(object: { lock: Lock | null }): string | undefined {
  const lock = activeLock(object);
  return lock && lock.name !== WORKING_COPY_LOCK ? keyOfLock(lock) : undefined;
}

/** Throws PreconditionFailed when the last change of a locked object is not the last change that the client has seen. */
export function requireUnchanged({ modified }: { modified: Date }, expected: Date | undefined): void {
  if (expected !== undefined && modified.getTime() !== expected.getTime())
    throw new PreconditionFailed('This has been changed since you loaded it. Load it again.', {});
}

/**
 * Runs `change` on the held object with the right to modify it, and stores the lock that it returns. The lock of content that
 * is checked out stays as it is.
 */
async function changeLock(
  kernel: Kernel,
  caller: Caller,
  path: string,
  change: (lock: Lock | undefined, at: { site: Site; resolved: ResolvedNode }) => Lock | null,
): Promise<Lock | undefined> {
  return kernel.db.transaction(async (tx) => {
    const { site, resolved } = await locateForWrite(kernel, path, tx, 'change');
    if (!resolved) throw new NotFound(path);
    requirePermission(site, caller, resolved, MODIFY);
    const present = activeLock(resolved.object);
    const lock = change(present, { site, resolved });
    if (present?.name === WORKING_COPY_LOCK) return present;
    if (lock !== present) await updateContentRow(tx, resolved.object.oid, { lock });
    return lock ?? undefined;
  });
}

/** Says if editors may lock content: setting `editing.lock_on_ttw_edit`, on by default. */
export const isLocking = (site: Site): boolean => panelSettings(site, editingPanel).lock_on_ttw_edit;

/** Forms of one user that the lock of an object distinguishes. The states of others are those in their tokens. */
const MAX_FORMS = 20;

/** The lock with the state of one of its forms, the last in the list. */
export function withForm(lock: Lock, token: string, mark: string): Lock {
  const { [token]: _former, ...others } = lock.forms ?? {};
  return { ...lock, forms: Object.fromEntries([...Object.entries(others), [token, mark]].slice(-MAX_FORMS)) };
}

/**
 * The lock and the token for one more form of its holder. What was saved until now is that of the first form, because nobody else could
 * save.
 */
function forOneMore(lock: Lock, object: ResolvedNode['object']): { lock: Lock; token: string } {
  if (lock.name === WORKING_COPY_LOCK) return { lock, token: lock.token };
  const shared = lock.forms ? lock : withForm(lock, lock.token, stateMark(object.modified));
  return { lock: shared, token: formToken(lock, object) };
}

/**
 * Takes a lock. A present lock stays and is returned: the caller's own, or that of another user, as Plone's clients expect. There is no lock
 * on a site without locking. `token` opens the caller's own lock; another one each time, which keeps forms of one user in several tabs
 * apart. Without a lock of the caller's own it opens nothing. It names the present state, so that a change that is sent with it later is merged.
 */
export async function takeLock(
  kernel: Kernel,
  caller: Caller,
  path: string,
  options: { stealable: boolean; timeout: number },
): Promise<{ lock: Lock | undefined; token: string }> {
  let token = '';
  const taken = await changeLock(kernel, caller, path, (lock, { site, resolved: { object } }) => {
    const own = lock?.creator === caller.id ? forOneMore(lock, object) : undefined;
    token = own?.token ?? openedToken(object);
    if (own) return own.lock;
    if (lock || !isLocking(site)) return lock ?? null;
    token = `${randomUUID()}${stateMark(object.modified)}`;
    return {
      token,
      creator: caller.id ?? '',
      creator_name: caller.fullname || (caller.id ?? ''),
      created: new Date().toISOString(),
      name: 'plone.locking.stealable',
      ...options,
    };
  });
  return { lock: taken, token };
}

/** Restarts the timeout of the caller's own lock, under the same token. Throws Forbidden when another user holds the lock. */
export async function refreshLock(kernel: Kernel, caller: Caller, path: string): Promise<Lock | undefined> {
  return changeLock(kernel, caller, path, (lock) => {
    if (lock && lock.creator !== caller.id) throw new Forbidden('This document is already locked by another user.');
    return lock ? { ...lock, created: new Date().toISOString() } : null;
  });
}

/** Releases the caller's own lock, or with `force` a stealable one of another user; any other lock stays. Returns the lock that is left. */
export async function releaseLock(
  kernel: Kernel,
  caller: Caller,
  path: string,
  force: boolean,
): Promise<Lock | undefined> {
  return changeLock(kernel, caller, path, (lock) =>
    lock && lock.creator !== caller.id && !(force && lock.stealable) ? lock : null,
  );
}
