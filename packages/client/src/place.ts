import { Changes, type ChangesOptions } from './changes.ts';
import { CanopyError } from './errors.ts';
import type { EntityTags } from './etags.ts';
import { asDeclared, isObject, textOf } from './json.ts';
import { batchOf, Listing } from './listing.ts';
import { contentPath } from './paths.ts';
import { searchQuery } from './search-query.ts';
import type { Query, RequestOptions, Transport } from './transport.ts';
import type {
  AnySite,
  ChangeOf,
  ContentOf,
  Expanded,
  ExpansionName,
  Search,
  SearchOptions,
  SiteTypes,
  Summary,
  TypeName,
} from './types.ts';
import { Upload, type UploadOptions } from './upload.ts';

export type GetOptions<E, T> = RequestOptions & {
  /** Components that are loaded with the content. */
  expand?: readonly E[] | undefined;
  /** The type that the content must have: content of another type throws, and the result has this type. */
  type?: T | undefined;
  /** Says if the children of a container are loaded, too; the default is true. */
  items?: boolean | undefined;
  /** Further parameters, such as `expand.navigation.depth`. */
  query?: Query | undefined;
  /** `error` throws MovedError for moved content, instead of loading it from its new path. */
  redirects?: 'follow' | 'error' | undefined;
};

export type WriteOptions = RequestOptions & {
  /** The entity tag that the content must still have. The default is the tag of the last `get` of this client, if any; `false` writes in any case. */
  ifMatch?: string | false | undefined;
  /** The token of the lock of the content. */
  lockToken?: string | undefined;
  /** The key by which the server does a repeated write only once; generated unless given. */
  idempotencyKey?: string | undefined;
};

export type ServiceOptions = RequestOptions & {
  query?: Query | undefined;
  body?: unknown;
  /** With a key a write without a response is repeated, and done only once. Logins, tokens and uploads accept no key. */
  idempotencyKey?: string | undefined;
};

/** The parts that the places of one client share. */
export type Shared = { transport: Transport; tags: EntityTags };

/** A unique key for a write; `crypto.randomUUID` is missing on pages without TLS. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The address of a service of content: `@search`, `@workflow/publish`. */
const serviceAt = (path: string, service: string): string =>
  `${path === '/' ? '' : path}/${service.replace(/^\/+/, '')}`;

/** A place in the tree, which may have no content: only a request shows it. */
export class Place<S extends SiteTypes> {
  /** The path from the root of the site, encoded as in addresses. */
  readonly path: string;
  readonly #shared: Shared;

  /** Throws NotFoundError for a path that no content can have. */
  constructor(shared: Shared, path: string) {
    this.#shared = shared;
    this.path = contentPath(path);
  }

  /** The place below this one with an id, or with several ids, separated by slashes. */
  child(id: string): Place<S> {
    return new Place(this.#shared, `${this.path}/${id.split('/').map(encodeURIComponent).join('/')}`);
  }

  /** The container; undefined for the root of the site. */
  get parent(): Place<S> | undefined {
    return this.path === '/' ? undefined : new Place(this.#shared, this.path.slice(0, this.path.lastIndexOf('/')));
  }

  /** Loads the content. */
  async get<E extends ExpansionName<S> = never, T extends TypeName<S> = TypeName<S>>(
    options: GetOptions<E, T> = {},
  ): Promise<Expanded<S, ContentOf<S, T>, E>> {
    const { expand = [], type, items, query: more, redirects, ...request } = options;
    const query: Query = { expand: expand.length > 0 ? expand.join(',') : undefined, include_items: items, ...more };
    const { transport, tags } = this.#shared;
    const response = await transport.send({
      ...request,
      ...{ method: 'GET', path: this.path, query, redirects, repeatable: true },
    });
    const content = await transport.jsonOf(response, request.signal);
    if (!response.redirected) {
      transport.addresses.learn(textOf(content, '@id'), this.path);
      tags.set(this.path, response.headers.get('etag'), query);
    }
    const found = textOf(content, '@type');
    if (type !== undefined && found !== type) throw new CanopyError(`${this.path} is a ${found}, not a ${type}`);
    return asDeclared(content);
  }

  /** Summaries of the children of a container, in their order. */
  children(options: Omit<SearchOptions<S>, 'sort' | 'order'> & RequestOptions = {}): Listing<Summary> {
    return this.#list({ path: { query: this.#searchPath, depth: 1 } }, { ...options, sort: 'getObjPositionInParent' });
  }

  /** Summaries of content at or below this place. */
  search(constraints: Search<S> = {}, options: SearchOptions<S> & RequestOptions = {}): Listing<Summary> {
    return this.#list(constraints, options);
  }

  /** Searches like `search`, but with all fields of each result. */
  searchWhole(
    constraints: Search<S> = {},
    options: SearchOptions<S> & RequestOptions = {},
  ): Listing<Omit<ContentOf<S>, '@components'>> {
    return this.#list(constraints, options, { fullobjects: 1 });
  }

  /** The changes of content at and below this place, as they happen. */
  changes(options: ChangesOptions = {}): Changes {
    return new Changes(this.#shared.transport, this.path === '/' ? undefined : this.#searchPath, options);
  }

  /** Paths in searches are plain texts, not encoded as in addresses. */
  get #searchPath(): string {
    return decodeURIComponent(this.path);
  }

  #list<Item>(constraints: object, options: SearchOptions<AnySite> & RequestOptions, more: Query = {}): Listing<Item> {
    const { signal, headers, init, ...choice } = options;
    const { transport } = this.#shared;
    const request = { ...{ signal, headers, init }, method: 'GET', repeatable: true };
    const query = { ...searchQuery(constraints, choice), ...more };
    return new Listing(async (next) => {
      if (next === undefined)
        return batchOf<Item>(await transport.json({ ...request, path: serviceAt(this.path, '@search'), query }));
      return batchOf<Item>(await transport.json({ ...request, path: await transport.pathOf(next, signal) }));
    });
  }

  /** Creates content here and returns it. */
  async create<T extends keyof S['create'] & TypeName<S>>(
    data: S['create'][T] & { '@type': T },
    options: WriteOptions = {},
  ): Promise<ContentOf<S, T>> {
    const created = await this.#write('POST', this.path, { ...options, ifMatch: false }, data);
    return asDeclared(created);
  }

  /** Changes the given fields and returns the content. Throws ChangedError when the content was changed since this client loaded it. */
  async update<T extends TypeName<S> = TypeName<S>>(
    changes: ChangeOf<S, T>,
    options: WriteOptions & { type?: T | undefined } = {},
  ): Promise<ContentOf<S, T>> {
    const { type: _, ...write } = options;
    const headers = { Prefer: 'return=representation', ...write.headers };
    return asDeclared(await this.#write('PATCH', this.path, { ...write, headers }, changes));
  }

  /** Removes the content with everything below it. */
  async remove(options: WriteOptions = {}): Promise<void> {
    await this.#write('DELETE', this.path, options);
  }

  /** Makes a transition of the workflow, such as `publish`. */
  async transition(name: string, body: Query = {}, options: WriteOptions = {}): Promise<void> {
    const service = `@workflow/${encodeURIComponent(name)}`;
    await this.#write('POST', serviceAt(this.path, service), { ...options, ifMatch: false }, body);
  }

  /** Moves the content into another container and returns its new place. */
  moveTo(container: Place<S> | string, options: WriteOptions = {}): Promise<Place<S>> {
    return this.#into(container, '@move', options);
  }

  /** Copies the content with everything below it into a container and returns the place of the copy. */
  copyTo(container: Place<S> | string, options: WriteOptions = {}): Promise<Place<S>> {
    return this.#into(container, '@copy', options);
  }

  async #into(container: Place<S> | string, service: string, options: WriteOptions): Promise<Place<S>> {
    const { transport } = this.#shared;
    const target = typeof container === 'string' ? new Place<S>(this.#shared, container) : container;
    const body = { source: this.#searchPath };
    const done = await this.#write('POST', serviceAt(target.path, service), { ...options, ifMatch: false }, body);
    const address = Array.isArray(done) ? textOf(done[0], 'target') : undefined;
    if (address === undefined) throw new CanopyError('The server did not say where the content is now');
    this.#shared.tags.forget(this.path);
    return new Place(this.#shared, await transport.pathOf(address, options.signal));
  }

  /** Sends a file in pieces and returns the place of the new content. */
  async upload(file: Blob | Uint8Array<ArrayBuffer>, options: UploadOptions = {}): Promise<Place<S>> {
    const path = await new Upload(this.#shared.transport, file, options).send(serviceAt(this.path, '@tus-upload'));
    this.#shared.tags.forget(this.path);
    return new Place(this.#shared, path);
  }

  /** Sends a file in pieces, which replaces the file of this content. */
  async replaceFile(file: Blob | Uint8Array<ArrayBuffer>, options: UploadOptions = {}): Promise<void> {
    await new Upload(this.#shared.transport, file, options).send(serviceAt(this.path, '@tus-replace'));
    this.#shared.tags.forget(this.path);
  }

  /** Calls any service of this place, such as `request('GET', '@history')`, and returns its JSON. */
  async request<Result = unknown>(method: string, service: string, options: ServiceOptions = {}): Promise<Result> {
    const { idempotencyKey, headers, ...request } = options;
    const reads = method === 'GET' || method === 'HEAD';
    return asDeclared(
      await this.#shared.transport.json({
        ...request,
        ...{ method, path: serviceAt(this.path, service), repeatable: reads || idempotencyKey !== undefined },
        headers: { ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }), ...headers },
      }),
    );
  }

  async #write(method: string, path: string, options: WriteOptions, body?: unknown): Promise<unknown> {
    const { ifMatch, lockToken, idempotencyKey, headers, ...request } = options;
    const { transport, tags } = this.#shared;
    const seen = ifMatch === undefined ? tags.get(path) : undefined;
    const tag = ifMatch === false ? undefined : (ifMatch ?? seen?.etag);
    const response = await transport.json({
      ...request,
      ...{ method, path, query: seen?.query, repeatable: true },
      ...(body === undefined ? {} : { body: isObject(body) ? body : {} }),
      headers: {
        'Idempotency-Key': idempotencyKey ?? newKey(),
        ...(tag === undefined ? {} : { 'If-Match': tag }),
        ...(lockToken === undefined ? {} : { 'Lock-Token': lockToken }),
        ...headers,
      },
    });
    tags.forget(this.path);
    return response;
  }
}
