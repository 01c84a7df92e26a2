import type { JsonObject } from '../../../lib/json-object.ts';

/** An internal reference: the UID of the target, and what followed its address (`#part`, `/@@images/image`). */
export type UidReference = { uid: string; suffix: string };

const PREFIX = '../resolveuid/';

/**
 * A UID is one path segment of unreserved characters (RFC 3986): hex, dashed UUIDs, and others of
 * older sites. Segments cannot overlap, so the search is linear however often the name occurs.
 */
const REFERENCE = /(?:^|\/)resolve[Uu]id\/([\w.~-]{1,128})(?=[/#?]|$)/;
const ANY_REFERENCE = /resolve[Uu]id\/([\w.~-]{1,128})/g;

/** The form in which a reference is stored in any string: it does not depend on where the referring content lies. */
export const storedReference = (uid: string, suffix = ''): string => PREFIX + uid + suffix;

/**
 * Returns the reference in a stored string; undefined for other strings. Parses every form that Plone has stored:
 * `resolveuid/<UID>`, any number of `../`, and absolute addresses (plone.restapi, uid_to_url).
 */
export function parseReference(link: string): UidReference | undefined {
  const match = REFERENCE.exec(link);
  const uid = match?.[1];
  return match === null || uid === undefined ? undefined : { uid, suffix: link.slice(match.index + match[0].length) };
}

/**
 * All UIDs that strings in a stored JSON value may refer to: blocks, any field, the HTML of rich text.
 * It finds too many rather than too few (in plain text, too), because all targets of a response are loaded at once.
 */
export function collectUids(value: unknown): Set<string> {
  const uids = new Set<string>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') {
      // Nearly all strings have none, and this is quicker to see than by the expression.
      if (!next.includes('/')) continue;
      for (const [, uid] of next.matchAll(ANY_REFERENCE)) if (uid !== undefined) uids.add(uid);
    } else if (typeof next === 'object' && next !== null) {
      for (const inner of Object.values(next))
        if (typeof inner === 'string' || typeof inner === 'object') pending.push(inner);
    }
  }
  return uids;
}

const LINK_KEYS = ['url', 'href', 'preview_image'];
const REFERENCE_KEYS: readonly string[] = ['@id', ...LINK_KEYS];
const URL_REFERENCE_KEYS: readonly string[] = ['value', ...REFERENCE_KEYS];

/** Says if strings under this key, also in lists, are links (plone.restapi, ResolveUIDDeserializerBase). */
export const isLinkKey = (key: string): boolean => LINK_KEYS.includes(key);

/**
 * Keys of an object whose strings are links, in the order in which their pictures are preferred:
 * the value of a `{"@type": "URL", "value"}`, the `@id` of any object, and the link keys.
 */
export const referenceKeys = (object: JsonObject): readonly string[] =>
  object['@type'] === 'URL' ? URL_REFERENCE_KEYS : REFERENCE_KEYS;
