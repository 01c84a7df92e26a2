import type { TestSite } from '../support/site.ts';

/** The part of a test site that these helpers use. */
type Asking = Pick<TestSite, 'url' | 'request'>;

/** The path of the object in a response. */
export const pathOf = (site: Asking, id: string): string => id.slice(site.url.length) || '/';

/** Creates content and returns its path; throws when that fails. */
export async function make(site: Asking, container: string, data: Record<string, unknown>): Promise<string> {
  const { status, body, text } = await site.request('POST', container, { json: data });
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return pathOf(site, body['@id']);
}

/** Makes a transition; throws when that fails. */
export async function transition(site: Asking, path: string, name: string): Promise<void> {
  const { status, text } = await site.request('POST', `${path}/@workflow/${name}`, { json: {} });
  if (status !== 200) throw new Error(`${status}: ${text}`);
}

export type Asked = { status: number; paths: string[]; total: number };

/** Runs @search with a query string; returns the paths of the results. */
export async function search(
  site: Asking,
  context: string,
  query: string,
  as: 'admin' | 'anonymous' = 'admin',
): Promise<Asked> {
  const { status, body } = await site.request('GET', `${context}/@search${query === '' ? '' : `?${query}`}`, { as });
  const items: { '@id': string }[] = status === 200 ? body.items : [];
  return { status, paths: items.map((item) => pathOf(site, item['@id'])), total: body?.items_total };
}

/** Runs the conditions of a listing; returns the paths of the results. */
export async function list(
  site: Asking,
  context: string,
  rows: readonly { i: string; o: string; v?: unknown }[],
  more: Record<string, unknown> = {},
  as: 'admin' | 'anonymous' = 'admin',
): Promise<Asked> {
  const { status, body } = await site.request('POST', `${context}/@querystring-search`, {
    json: { query: rows, ...more },
    as,
  });
  const items: { '@id': string }[] = status === 200 ? body.items : [];
  return { status, paths: items.map((item) => pathOf(site, item['@id'])), total: body?.items_total };
}

/** A slate block that shows a text, with its layout. */
export const slate = (text: string) => ({
  blocks: { b: { '@type': 'slate', plaintext: text, value: [{ type: 'p', children: [{ text }] }] } },
  blocks_layout: { items: ['b'] },
});
