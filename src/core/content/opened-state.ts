import type { Transaction } from '../../database/database.ts';
import { Conflict } from '../../lib/errors.ts';
import { editingPanel } from '../configuration/panels/content.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Caller } from '../security/caller.ts';
import { ACCESS_VERSIONS } from '../security/permissions.ts';
import type { Lock, ResolvedNode } from '../types/content-row.ts';
import { type BaseState, parseBase, stateMark } from './base-state.ts';
import { activeLock, withForm } from './locking.ts';
import type { MergeRequest } from './merge/merge-change.ts';
import { opensLock, stateOfToken } from './opened-token.ts';
import { has } from './permissions.ts';
import { versionsSince } from './statements/load-content.ts';
import { updateContentRow } from './statements/write-content.ts';
import { hasVersions } from './versions.ts';

const UNREADABLE = 'This has been changed since you opened it. Load it again and repeat your change.';

/** The state of an object at a time; undefined where only changes came after it that make no versions, such as a transition. */
async function stateAt(
  tx: Transaction,
  { site, resolved: { object }, base }: { site: Site; resolved: ResolvedNode; base: BaseState },
): Promise<BaseState | undefined> {
  const type = site.types.get(object.type);
  const isVersioned = type && hasVersions(type) && object.fields.versioning_enabled !== false;
  if (!isVersioned || !('at' in base)) return base;
  const { former, newest } = await versionsSince(tx, object.oid, base.at);
  if (former === newest) return undefined;
  return former === undefined ? base : { version: former };
}

/** The mark of the state that a form with a lock has last; undefined where its user has one form, behind which nobody saves. */
const formState = ({ forms }: Lock, token: string): string | undefined =>
  forms && (forms[token] ?? stateOfToken(token));

/**
 * The state that a change began from by the token of a lock that has ended, that its user never got, or that its user has in several forms:
 * the client has sent no other base, and the content may have changed since. Undefined where nothing has changed, where the lock is that of
 * one form, or where the site merges no such changes. Throws Conflict for users who may not read former versions.
 */
export async function openedState(
  tx: Transaction,
  { site, caller, resolved, token }: { site: Site; caller: Caller; resolved: ResolvedNode; token: string | undefined },
): Promise<MergeRequest | undefined> {
  const { object } = resolved;
  if (token === undefined) return undefined;
  const lock = activeLock(object);
  const mark = lock && opensLock(lock, token) ? formState(lock, token) : stateOfToken(token);
  if (mark === undefined) return undefined;
  if (!panelSettings(site, editingPanel).merge_ended_locks || mark === stateMark(object.modified)) return undefined;
  const base = await stateAt(tx, { site, resolved, base: parseBase(mark) });
  if (!base) return undefined;
  if (!has(site, caller, resolved, ACCESS_VERSIONS)) throw new Conflict(UNREADABLE);
  return { base, prefer: undefined };
}

/**
 * Notes the state that a form has saved, where its user has several with one lock. A form whose change was merged keeps the state that it began
 * from: it does not have what the others have written.
 */
export async function noteSaved(
  tx: Transaction,
  { resolved: { object }, token, modified }: { resolved: ResolvedNode; token: string | undefined; modified: Date },
): Promise<void> {
  const lock = activeLock(object);
  if (token === undefined || stateOfToken(token) === undefined || !lock?.forms || !opensLock(lock, token)) return;
  await updateContentRow(tx, object.oid, { lock: withForm(lock, token, stateMark(modified)) });
}
