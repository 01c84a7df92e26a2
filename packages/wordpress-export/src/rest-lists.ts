import { isJsonObject, type JsonObject, memberOf, type ProblemLog, stringOf } from '@canopy-server/site-reader';
import {
  type FoundResponse,
  get,
  headerOf,
  loadBody,
  OutsideError,
  type OutsideSettings,
  unreadable,
} from './outside.ts';
import { idOf, plainText } from './rest-nodes.ts';
import type { Spool } from './spool.ts';

/** Objects of one page of a list, the most that WordPress gives. */
export const PAGE_SIZE = 100;

/** Pages of one list: a million objects. */
export const MAX_PAGES = 10_000;

/** Statuses of a list that the site does not offer to who asks. */
const NOT_OFFERED: ReadonlySet<number> = new Set([401, 403, 404]);

/** The address of REST, of what a person gives: of the site, of REST, or with `rest_route`. */
export function restRoot(place: string): URL {
  const url = new URL(place);
  url.hash = '';
  if (url.searchParams.has('rest_route')) {
    url.searchParams.set('rest_route', '/');
    return url;
  }
  const at = /^(.*\/wp-json)(?:\/|$)/.exec(url.pathname)?.[1];
  url.pathname = `${at ?? `${url.pathname.replace(/\/+$/, '')}/wp-json`}/`;
  url.search = '';
  return url;
}

/** An address below that of REST. */
export function restAddress(root: URL, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(root);
  if (url.searchParams.has('rest_route')) url.searchParams.set('rest_route', `/${path}`);
  else url.pathname += path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** The error that WordPress describes in its response, shortened. */
function errorText(body: unknown, status: number): string {
  const [code, message] = [stringOf(memberOf(body, 'code')), plainText(stringOf(memberOf(body, 'message')))];
  const words = [code, message].filter((one) => one !== '').join(': ');
  return `it answers ${status}${words === '' ? '' : ` (${words.slice(0, 300)})`}`;
}

export const LOGIN_HELP =
  'Give a login that may read it: --reader-option user=NAME --reader-option password-file=FILE, with an application password of WordPress';

/** A list of the site was not there: it is offered to others, or to nobody. */
export class NotOffered extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'NotOffered';
    this.status = status;
  }
}

export async function load(settings: OutsideSettings, url: URL): Promise<{ body: unknown; response: FoundResponse }> {
  try {
    const response = await get(settings, url);
    const text = await loadBody(response);
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      // Whatever is no JSON is the page of something else.
      if (response.status < 400) throw new OutsideError('it is no JSON, as REST of WordPress is', false);
    }
    if (response.status >= 400) {
      const said = errorText(body, response.status);
      if (NOT_OFFERED.has(response.status)) throw new NotOffered(said, response.status);
      throw new OutsideError(said, false);
    }
    return { body, response };
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    throw unreadable(url, error.message);
  }
}

/** The site that is read, and where its parts are put. */
export type RestOptions = { settings: OutsideSettings; root: URL; spool: Spool; problems: ProblemLog };

/** The objects of a list, page by page. Throws NotOffered for a list that the site does not have, or not for who asks. */
export async function* listOf(
  { settings, root }: RestOptions,
  path: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<JsonObject> {
  const seen = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const url = restAddress(root, path, {
      ...{ per_page: String(PAGE_SIZE), page: String(page), orderby: 'id', order: 'asc' },
      ...query,
    });
    const { body, response } = await load(settings, url);
    if (!Array.isArray(body)) throw unreadable(url, 'it is no list');
    for (const object of body.filter(isJsonObject)) {
      // Objects that are made or removed meanwhile move the others from page to page.
      const id = idOf(object.id);
      if (id === '' || seen.has(id)) continue;
      seen.add(id);
      yield object;
    }
    const pages = Number.parseInt(headerOf(response, 'x-wp-totalpages'), 10);
    if (Number.isNaN(pages) ? body.length < PAGE_SIZE : page >= pages) return;
  }
  throw unreadable(restAddress(root, path), `the list has more than ${MAX_PAGES} pages`);
}

/** A list that a site may not offer. Its absence is reported. */
export async function* offered(
  options: RestOptions,
  path: string,
  what: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<JsonObject> {
  try {
    yield* listOf(options, path, query);
  } catch (error) {
    if (!(error instanceof NotOffered)) throw error;
    const help = error.status === 404 ? '' : ` ${LOGIN_HELP}.`;
    options.problems.note({
      ...{ reason: 'unsupported', file: path, key: 'rest' },
      message: `The site does not offer ${what}: ${error.message}.${help}`,
    });
  }
}

/** A list without which there is no site. */
export async function* required(
  options: RestOptions,
  path: string,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<JsonObject> {
  try {
    yield* listOf(options, path, query);
  } catch (error) {
    if (!(error instanceof NotOffered)) throw error;
    throw unreadable(restAddress(options.root, path), `${error.message}. ${LOGIN_HELP}`);
  }
}
