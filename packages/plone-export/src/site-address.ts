import { isJsonObject, type JsonObject, stringOrNull } from '@canopy-server/site-reader';

const ROOT_TYPES = new Set(['Plone Site', 'Site']);

/** Translates addresses of the exported site to paths below its root. */
export interface SiteAddress {
  /** The path below the root of an object's `@id`; null for an invalid address. */
  contentPath(id: string): string | null;
  /** The path below the root of a path in the object database, which always begins with the site (`/Plone/…`). */
  databasePath(path: string): string | null;
  /** A link in a field: a path when it leads into the exported site, else unchanged. */
  link(value: string): string;
}

/** True if an exported object is the site root. */
export function isRoot(raw: JsonObject): boolean {
  return typeof raw['@type'] === 'string' && ROOT_TYPES.has(raw['@type']);
}

/**
 * Finds the address of the site root from its own object or, in an export without the root, from a child.
 * @returns null when this object has neither
 */
export function rootAddressFrom(raw: JsonObject): string | null {
  if (isRoot(raw)) return stringOrNull(raw['@id']);
  return isJsonObject(raw.parent) && isRoot(raw.parent) ? stringOrNull(raw.parent['@id']) : null;
}

/** An object's own `@id`, or an address made of the parent's `@id` and the object's id. */
export function addressOf(raw: JsonObject): string | null {
  const own = stringOrNull(raw['@id']);
  if (own) return own;
  const parent = isJsonObject(raw.parent) ? stringOrNull(raw.parent['@id']) : null;
  const id = stringOrNull(raw.id);
  return parent && id ? `${parent.endsWith('/') ? parent.slice(0, -1) : parent}/${id}` : null;
}

/**
 * @param root address of the site root as exported: a URL, `/Plone`, `/`, or null when unknown
 * @param addresses whether some object other than the root has this pathname. Exports write either `/Plone/a` or `/a` for the same object. An object
 * `/Plone` that is not the root shows that the prefix is left out.
 */
export function siteAddress(root: string | null, addresses: (pathname: string) => boolean): SiteAddress {
  const prefix = root === null ? '' : pathnameOf(root);
  const stripsContent = prefix !== '' && !addresses(prefix);
  const rootLink = root === null ? '' : withoutSlash(root);
  // Texts name the site by its URL, or only by its path.
  const roots = [rootLink, prefix].filter(
    (link, index) => link !== '' && (link.includes('://') || stripsContent) && (index === 0 || link !== rootLink),
  );
  const strip = (pathname: string): string =>
    pathname === prefix || pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;

  return {
    contentPath: (id) => validPath(stripsContent ? strip(pathnameOf(id)) : pathnameOf(id)),
    databasePath: (path) => validPath(strip(pathnameOf(path))),
    link: (value) => {
      for (const rootOf of roots) {
        if (!value.startsWith(rootOf)) continue;
        const rest = value.slice(rootOf.length);
        if (rest === '') return '/';
        if (rest.startsWith('/')) return rest;
        if (rest.startsWith('#') || rest.startsWith('?')) return `/${rest}`;
      }
      return roots.reduce(inMarkup, value);
    },
  };
}

/** The default id of sites, and ids that begin with it. */
const COMMON_ID = /^plone[\w-]*$/i;

/**
 * Guesses the address of the root of an export that has neither the root nor a child of it: the first part of all addresses, if it is a common id of
 * sites and there is no content at it.
 * @returns null when the addresses do not show it
 */
export function guessRoot(addresses: readonly string[]): string | null {
  const [first] = addresses;
  const id = first === undefined ? undefined : pathnameOf(first).split('/')[1];
  if (first === undefined || id === undefined || !COMMON_ID.test(id)) return null;
  const host = /^[a-z]{2,20}:\/\/[^/]*/i.exec(first)?.[0] ?? '';
  const root = `${host}/${id}`;
  return addresses.every((address) => address.startsWith(`${root}/`)) ? root : null;
}

/** Path of a URL, or a path itself, without query, fragment and trailing slash; `''` for the root. */
export function pathnameOf(address: string): string {
  const scheme = /^[a-z]{2,20}:\/\//i.exec(address);
  if (!scheme) return withoutSlash(address);
  const hostEnd = address.indexOf('/', scheme[0].length);
  if (hostEnd === -1) return '';
  const end = address.slice(hostEnd).search(/[?#]/);
  return withoutSlash(address.slice(hostEnd, end === -1 ? undefined : hostEnd + end));
}

/** Replaces links in HTML that are values of attributes. */
function inMarkup(value: string, rootLink: string): string {
  return value.includes(`"${rootLink}/`) ? value.replaceAll(`"${rootLink}/`, '"/') : value;
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function validPath(pathname: string): string | null {
  if (pathname === '') return '/';
  if (!pathname.startsWith('/')) return null;
  const segments = pathname.slice(1).split('/').map(decodeSegment);
  const isValid = segments.every((part) => part !== '' && part !== '.' && part !== '..' && !/[/\0]/.test(part));
  return isValid ? `/${segments.join('/')}` : null;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    // A segment with a bare percent sign is the plain name, because it is not encoded.
    if (error instanceof URIError) return segment;
    throw error;
  }
}
