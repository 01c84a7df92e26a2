import type { Queryable } from '../../database/database.ts';
import { BadRequest, Conflict } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import { versionAt } from './statements/load-content.ts';
import { hasVersions, resolvedVersion, versionNumber } from './versions.ts';

/** Digits of a time in marks: enough for some thousands of years. */
const MARK_DIGITS = 9;

/** The state of content that a change began from: its time, or the number of a version. */
export type BaseState = { at: Date } | { version: number };

/** The mark of the state that content got at a time: it ends the entity tags of content, and is also a name of the state by itself. */
export const stateMark = (at: Date): string => `-${Math.max(at.getTime(), 0).toString(36).padStart(MARK_DIGITS, '0')}`;

/** A mark, alone or in an entity tag, weak or strong; proxies that compress responses add a suffix to the tag. */
const MARK = new RegExp(`^(?:W/)?"?(?:[\\w-]{33})?-([0-9a-z]{${MARK_DIGITS}})(?:-(?:gzip|br))?"?$`);

/** The message for a text that names no base. */
export const INVALID_BASE = '"base" must be the ETag that came with the content, or the number of a version.';

/** The state that a client names by an entity tag of content, by its mark, or by the number of a version. Throws BadRequest. */
export function parseBase(base: string): BaseState {
  const version = versionNumber(base);
  if (version !== undefined) return { version };
  const [, mark] = MARK.exec(base) ?? [];
  const at = mark === undefined ? Number.NaN : Number.parseInt(mark, 36);
  if (Number.isNaN(new Date(at).getTime())) throw new BadRequest(INVALID_BASE);
  return { at: new Date(at) };
}

/** Says if a state is the present one of an object. */
export const isPresent = (base: BaseState, { object }: ResolvedNode): boolean =>
  'at' in base && base.at.getTime() === object.modified.getTime();

/** The number of the version with the state of an object at a time. A transition makes a state without a version: that before it has its words. */
async function numberAt(db: Queryable, { object }: ResolvedNode, at: Date): Promise<number | undefined> {
  const { exact, lasting } = await versionAt(db, { content: object.oid, at });
  // While versions are switched off, edits may lie between two of them, too.
  const isKept = at < object.modified && object.fields.versioning_enabled !== false;
  return exact ?? (isKept ? lasting : undefined);
}

/** An object in a former state that a change began from. Throws Conflict, with instructions, when no version has this state. */
export async function loadBase(
  db: Queryable,
  { site, resolved, base }: { site: Site; resolved: ResolvedNode; base: BaseState },
): Promise<ResolvedNode> {
  const { object } = resolved;
  const type = site.types.get(object.type);
  const number = 'version' in base ? base.version : await numberAt(db, resolved, base.at);
  const found = number === undefined ? undefined : await resolvedVersion(db, site, resolved, number);
  if (found) return found;
  if (!type || !hasVersions(type))
    throw new Conflict(
      'This has been changed since you loaded it, and its type keeps no versions to merge with. Load it again and repeat your change.',
    );
  throw new Conflict(
    'No version is kept of the state that "base" names. Load the content again and repeat your change.',
  );
}
