import { parseReference, type UidReference } from './resolve-uid.ts';

/** A link into the site: by path (`/` for the root, else without a slash at its end) or by UID. */
export type InternalLink = { path: string; suffix: string } | UidReference;

/** Maximum length of an address of content; longer strings are not looked up. */
const MAX_LENGTH = 4096;

/** The part of an absolute URL behind the first base that it lies below; undefined for other sites. */
function behindBase(link: string, bases: readonly string[]): string | undefined {
  for (const base of bases) {
    const root = base.endsWith('/') ? base.slice(0, -1) : base;
    if (root === '' || !link.startsWith(root)) continue;
    const rest = link.slice(root.length);
    if (rest === '' || '/?#'.includes(rest.charAt(0))) return rest;
  }
  return undefined;
}

/** The path without percent-encoding; undefined when the encoding is malformed or would name another segment. */
function decodePath(path: string): string | undefined {
  try {
    const decoded = path
      .split('/')
      .map((segment) => decodeURIComponent(segment))
      .join('/');
    return decoded.split('/').length === path.split('/').length && !/\p{Cc}/u.test(decoded) ? decoded : undefined;
  } catch (error) {
    // decodeURIComponent reports a malformed text only by this error; such a text is no address of the site.
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * Returns the target of a link in content inside the site; undefined for every other string. `bases` are the absolute addresses of
 * the site root. It parses URLs below one of them, paths (`/a/b`) and references (`../resolveuid/<UID>`). The suffix begins at the
 * first `#`, `?` or `/@@` (plone.restapi, path2uid).
 */
export function internalPath(link: string, bases: readonly string[]): InternalLink | undefined {
  if (link === '' || link.length > MAX_LENGTH) return undefined;
  const reference = parseReference(link);
  if (reference !== undefined) return reference;
  // `//host/path` is an address of another host.
  const local = link.startsWith('/') && !link.startsWith('//') ? link : behindBase(link, bases);
  if (local === undefined) return undefined;
  const end = local.search(/[#?]|\/@@/);
  const plain = (end === -1 ? local : local.slice(0, end)).replace(/^\/\+\+api\+\+(?=\/|$)/, '');
  const path = decodePath(plain.endsWith('/') ? plain.slice(0, -1) : plain);
  return path === undefined
    ? undefined
    : { path: path === '' ? '/' : path, suffix: end === -1 ? '' : local.slice(end) };
}
