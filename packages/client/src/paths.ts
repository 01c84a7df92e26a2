import { noContentAt } from './errors.ts';

/** Services without an `@`, and reserved names of the server. */
const RESERVED = /^(?:@|\+\+|\.{1,2}$|(?:ics_view|rss_view|markdown_view|resolveuid|RSS)$)/;
/** Schemes of links that a page may have. */
const LINKS = /^(?:https?|mailto|tel|sms|ftp):/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** Plone's form of an internal link, relative to any path. */
const BY_UID = /^(?:[^?#]*\/)?resolveuid\/([^/?#]+)(.*)$/s;

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const withoutEnd = (address: string): string => address.replace(/\/+$/, '');

/**
 * Returns the path of content in the one form that addresses have: a slash before each segment, each encoded, `/` for the site. Throws NotFoundError
 * when a segment is the name of a service or leads upwards, so that a path from a visitor is safe.
 */
export function contentPath(path: string): string {
  const segments = path
    .split('/')
    .flatMap((segment) => decoded(segment).split('/'))
    .filter((segment) => segment !== '');
  if (segments.some((segment) => RESERVED.test(segment))) throw noContentAt(path);
  return `/${segments.map(encodeURIComponent).join('/')}`;
}

/** The addresses of one site: the address for requests, and the address that its links begin with. */
export class Addresses {
  /** The address for requests, without a slash at its end. */
  readonly url: string;
  /** The beginnings of links to the site; the server may name another address than that of the requests. */
  readonly #bases: Set<string>;
  #base: string;

  constructor(url: string) {
    this.url = withoutEnd(url);
    this.#base = this.url.replace(/\/\+\+api\+\+$/, '');
    this.#bases = new Set([this.#base, this.url]);
  }

  /** The address of the site in links. */
  get base(): string {
    return this.#base;
  }

  /** Stores the address of the site, found from the `@id` of the response to a request to `path`. */
  learn(id: string | undefined, path: string): void {
    const address = withoutEnd(id?.split('?', 1)[0] ?? '');
    const end = withoutEnd(path.split('?', 1)[0] ?? '');
    if (address === '' || !address.endsWith(end)) return;
    const base = address.slice(0, address.length - end.length);
    if (!/^https?:\/\/[^/]/.test(base) || this.#bases.size > 8) return;
    this.#base = base;
    this.#bases.add(base);
  }

  /** The path on the site, with query and fragment, of an address of the site; undefined for other addresses. */
  pathOf(address: string): string | undefined {
    // Browsers read both forms as the beginning of another host.
    if (/^\/[/\\]/.test(address)) return undefined;
    for (const base of this.#bases) {
      if (!address.startsWith(base)) continue;
      const rest = address.slice(base.length);
      if (rest === '' || /^[?#]/.test(rest)) return `/${rest}`;
      if (rest.startsWith('/')) return rest.replace(/^\/+(?:\+\+api\+\+(?=\/|$))?[/\\]*/, '/');
    }
    return address.startsWith('/') ? address : undefined;
  }

  /**
   * Returns a link in the form for pages of the site: addresses of the site become paths, `resolveuid/…` becomes a path from the root, others stay. A
   * link with a scheme that runs code in a browser, such as `javascript:`, becomes `#`.
   */
  resolve(link: string): string {
    const byUid = BY_UID.exec(link);
    const own = this.pathOf(link);
    if (byUid && (own !== undefined || !SCHEME.test(link))) return `/resolveuid/${byUid[1]}${byUid[2]}`;
    if (own !== undefined) return own;
    // Browsers leave out these characters before they look for a scheme.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is left out
    const plain = link.replace(/[\u0000-\u0020]/g, '');
    return SCHEME.test(plain) && !LINKS.test(plain) ? '#' : link;
  }
}

/** The UID of a link of the form `…/resolveuid/<uid>`, and the rest of the link; undefined for other links. */
export function uidOf(link: string): { uid: string; rest: string } | undefined {
  const [, uid, rest = ''] = BY_UID.exec(link) ?? [];
  return uid === undefined ? undefined : { uid, rest };
}
