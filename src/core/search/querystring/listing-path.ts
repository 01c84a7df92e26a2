import { BadRequest } from '../../../lib/errors.ts';
import type { PathScope } from '../query.ts';

/** The place of a listing, to which its paths are relative. */
export type ListingPlace = {
  /** Path of the object that has the listing. */
  context: string;
  /** Path of its navigation root. */
  navigationRoot: string;
  /** Path of the object with a UID that the query names. */
  pathOf(uid: string): string | undefined;
};

const UID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** A path without empty and dotted segments, beginning at the site root; `..` does not lead above the root. */
export function cleanPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** The value of a path condition in its parts: `/news::2` is the path and a depth. Throws BadRequest for a bad depth. */
function split(value: string): { target: string; depth?: number } {
  const at = value.lastIndexOf('::');
  if (at === -1) return { target: value.trim() };
  const depth = value.slice(at + 2).trim();
  if (depth === '') return { target: value.slice(0, at).trim() };
  if (!/^-?\d{1,6}$/.test(depth)) throw new BadRequest(`Invalid path: "${depth.slice(0, 20)}" is no depth.`);
  return { target: value.slice(0, at).trim(), depth: Number(depth) };
}

/** The UID in the value of a path condition, if any. */
export function uidIn(value: string): string | undefined {
  const target = value.split('::', 1)[0]?.trim() ?? '';
  return UID.test(target) ? target.toLowerCase() : undefined;
}

/** A path or UID, with `::depth` or without. Undefined for the UID of a missing object, which lists nothing. */
export function absoluteScope(value: string, place: ListingPlace, below = '/'): PathScope | undefined {
  const { target, ...depth } = split(value);
  const uid = uidIn(target);
  if (uid !== undefined) {
    const path = place.pathOf(uid);
    return path === undefined ? undefined : { path, ...depth };
  }
  const path = cleanPath(target);
  const inside = below === '/' || path === below || path.startsWith(`${below}/`);
  return { path: inside ? path : cleanPath(`${below}${path}`), ...depth };
}

/** A path relative to the object with the listing: empty, `.`, `../sibling`. */
export function relativeScope(value: string, place: ListingPlace): PathScope {
  const { target, ...depth } = split(value);
  return { path: cleanPath(`${place.context}/${target}`), ...depth };
}
