import type { JsonObject } from '../../../lib/json-object.ts';

/** An internal reference: the UID of the target, and the suffix of its address (`#part`, `/@@images/image`). */
export type UidReference = { uid: string; suffix: string };

const PREFIX = '../resolveuid/';

/**
 * A UID is one path segment of unreserved characters (RFC 3986): hex, dashed UUIDs, and others of older sites. Segments cannot overlap, so the search
 * is linear for any number of occurrences.
 */
const REFERENCE = /(?:^|\/)resolve[Uu]id\/([\w.~-]{1,128})(?=[/#?]|$)/;
const ANY_REFERENCE = /resolve[Uu]id\/([\w.~-]{1,128})/g;

/** The form in which a reference is stored in any string: it does not depend on where the referring content lies. */
export const storedReference = (uid: string, suffix = ''): string => PREFIX + uid + suffix;

/**
 * Returns the reference in a stored string; undefined for other strings. Parses every form that Plone stores: `resolveuid/<UID>`, any number of
 * `../`, and absolute addresses (plone.restapi, uid_to_url).
 */
export function parseReference(link: string): UidReference | undefined {
  const match = REFERENCE.exec(link);
  const uid = match?.[1];
  return match === null || uid === undefined ? undefined : { uid, suffix: link.slice(match.index + match[0].length) };
}

/**
 * All UIDs that strings in a stored JSON value may refer to: blocks, any field, the HTML of rich text. It may find too many (in plain text, too) but
 * never too few, because all targets of a response are loaded at once.
 */
export function collectUids(value: unknown): Set<string> {
  const uids = new Set<string>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') {
      // Nearly all strings have no reference, and this test is quicker than the expression.
      if (!next.includes('/')) continue;
      for (const [, uid] of next.matchAll(ANY_REFERENCE)) if (uid !== undefined) uids.add(uid);
    } else if (typeof next === 'object' && next !== null) {
      for (const inner of Object.values(next))
        if (typeof inner === 'string' || typeof inner === 'object') pending.push(inner);
    }
  }
  return uids;
}

/** Says if a JSON text has references. It looks for slashes, which most texts lack. */
export function hasReferences(text: string): boolean {
  for (let at = text.indexOf('/'); at !== -1; at = text.indexOf('/', at + 1))
    if (text.startsWith('resolve', at - 10) && /^[Uu]id$/.test(text.slice(at - 3, at))) return true;
  return false;
}

const LINK_KEYS = ['url', 'href', 'preview_image'];
const REFERENCE_KEYS: readonly string[] = ['@id', ...LINK_KEYS];
const URL_REFERENCE_KEYS: readonly string[] = ['value', ...REFERENCE_KEYS];

/** Says if strings under this key, also in lists, are links (plone.restapi, ResolveUIDDeserializerBase). */
export const isLinkKey = (key: string): boolean => LINK_KEYS.includes(key);

/**
 * Keys of an object whose strings are links, in the order of preference of their pictures: the value of a `{"@type": "URL", "value"}`, the `@id` of
 * any object, and the link keys.
 */
export const referenceKeys = (object: JsonObject): readonly string[] =>
  object['@type'] === 'URL' ? URL_REFERENCE_KEYS : REFERENCE_KEYS;
