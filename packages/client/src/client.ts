import type { Changes, ChangesOptions } from './changes.ts';
import { EntityTags } from './etags.ts';
import { type ImageAttributes, type ImageOptions, imageAttributes } from './images.ts';
import { isObject, textOf } from './json.ts';
import { mapLinks, uidsIn } from './links.ts';
import type { Listing } from './listing.ts';
import { uidOf } from './paths.ts';
import { type GetOptions, Place, type ServiceOptions, type Shared } from './place.ts';
import { type ClientOptions, type RequestOptions, Transport } from './transport.ts';
import type {
  AnySite,
  BlockName,
  BlockOf,
  ContentOf,
  Expanded,
  ExpansionName,
  Search,
  SearchOptions,
  SiteTypes,
  Summary,
  TypeName,
} from './types.ts';

/** Maximum number of UIDs in one search, so that addresses stay below the usual 8 KiB. */
const UIDS_AT_ONCE = 100;

/** A site, seen by one user or by a visitor. */
export class Client<S extends SiteTypes = AnySite> {
  readonly #shared: Shared;

  constructor(url: string, options: ClientOptions = {}) {
    this.#shared = { transport: new Transport(url, options), tags: new EntityTags() };
  }

  /** The token that requests are sent with. */
  get token(): string | undefined {
    return this.#shared.transport.session.token;
  }

  /** A place in the tree by its path or its address. Throws NotFoundError for a path that no content can have. */
  at(path: string): Place<S> {
    return new Place(this.#shared, this.pathOf(path) ?? path);
  }

  /** Loads content by its path. */
  get<E extends ExpansionName<S> = never, T extends TypeName<S> = TypeName<S>>(
    path: string,
    options: GetOptions<E, T> = {},
  ): Promise<Expanded<S, ContentOf<S, T>, E>> {
    return this.at(path).get(options);
  }

  /** Searches the whole site. */
  search(constraints: Search<S> = {}, options: SearchOptions<S> & RequestOptions = {}): Listing<Summary> {
    return this.at('/').search(constraints, options);
  }

  /** The changes of content, as they happen. */
  changes(options: ChangesOptions = {}): Changes {
    return this.at('/').changes(options);
  }

  /** Calls a service of the site, such as `request('GET', '@site')`, and returns its JSON. */
  request<Result = unknown>(method: string, service: string, options: ServiceOptions = {}): Promise<Result> {
    return this.at('/').request<Result>(method, service, options);
  }

  /** Logs in; later requests are made as this user, and their token is renewed while it is used. */
  async login(login: string, password: string, options: RequestOptions = {}): Promise<void> {
    const answer = await this.request('POST', '@login', { ...options, body: { login, password } });
    this.#shared.tags.clear();
    this.#shared.transport.session.set(textOf(answer, 'token'));
  }

  /** Ends the session; later requests are made as a visitor. */
  async logout(options: RequestOptions = {}): Promise<void> {
    if (this.token !== undefined) await this.request('POST', '@logout', options);
    this.#shared.tags.clear();
    this.#shared.transport.session.set(undefined);
  }

  /** The path on the site of an address; undefined for an address of another site. */
  pathOf(address: string): string | undefined {
    return this.#shared.transport.addresses.pathOf(address);
  }

  /**
   * Returns a link of rich text or of a block in the form for pages: addresses of the site become paths, others stay, and a link with a scheme that
   * runs code, such as `javascript:`, becomes `#`.
   */
  resolve(link: string): string {
    return this.#shared.transport.addresses.resolve(link);
  }

  /**
   * Returns a copy of content, blocks or HTML in which all links are resolved. Links of the form `resolveuid/<uid>` are looked up in as few searches
   * as possible; links to content that is missing or that the caller may not see stay `/resolveuid/<uid>`.
   */
  async resolveAll<Value>(value: Value, options: RequestOptions = {}): Promise<Value> {
    const uids = [...uidsIn(value)];
    const paths = new Map<string, string>();
    for (let from = 0; from < uids.length; from += UIDS_AT_ONCE) {
      const found = this.request<{ items: Summary[] }>('GET', '@search', {
        ...options,
        query: { UID: uids.slice(from, from + UIDS_AT_ONCE), metadata_fields: 'UID', b_size: UIDS_AT_ONCE },
      });
      for (const item of (await found).items) paths.set(String(item.UID), this.resolve(item['@id']));
    }
    const change = (link: string): string => {
      const named = uidOf(link);
      const path = named === undefined ? undefined : paths.get(named.uid);
      return named === undefined || path === undefined ? this.resolve(link) : `${path}${named.rest}`;
    };
    return mapLinks(value, change) as Value;
  }

  /** Says if a block is of a type. Then it has the members of this type that its author has filled in. */
  isBlock<T extends BlockName<S>>(block: unknown, type: T): block is BlockOf<S, T> {
    return isObject(block) && block['@type'] === type;
  }

  /** Returns the attributes of an `img` for the picture of content, a summary, a block or a field; undefined without a picture. */
  images(item: unknown, options: ImageOptions = {}): ImageAttributes | undefined {
    return imageAttributes(item, options);
  }
}

/**
 * Returns a client of the site at an address, such as `https://example.org/++api++`. `S` are the types of the site; without `S` content has only the
 * members of all types.
 */
export const createClient = <S extends SiteTypes = AnySite>(url: string, options: ClientOptions = {}): Client<S> =>
  new Client<S>(url, options);
