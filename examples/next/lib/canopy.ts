/** Reads content of Canopy on the server of this front end, as a visitor sees it. */
import { ForbiddenError, MovedError, NotFoundError, type TypeName, UnauthorizedError } from '@canopy-server/client';
import type { Block, Site } from './canopy-types.ts';
import { CANOPY_URL, canopy } from './client.ts';

/** Entries of one list. */
const SIZE = 20;

/** Loads content with what a page shows around it. Its type tells its fields: see `canopy-types.ts`. */
const loadContent = (path: string, token?: string) =>
  canopy.get(path, {
    expand: ['navigation', 'breadcrumbs', 'translations'],
    redirects: 'error',
    query: { b_size: SIZE, preview_token: token },
    init: token === undefined ? undefined : { cache: 'no-store' },
  });

export type Content = Awaited<ReturnType<typeof loadContent>>;
/** Another object in a menu or a list. */
export type Entry = { '@id': string; title: string; description?: string | undefined };
/** Content, the path that it has moved to, or the status of a page that a visitor may not see. */
export type Loaded = { content: Content } | { moved: string } | { status: 401 | 404 };

/** The path on this site of an address that Canopy returns. Other addresses stay, unless a browser would run them. */
export const pathOf = (address: string): string => canopy.resolve(address);

/** Loads content by its path. With the token of a preview link it is the draft, which is not kept. */
export async function load(path: string, token?: string): Promise<Loaded> {
  try {
    return { content: await loadContent(path, token) };
  } catch (error) {
    if (error instanceof MovedError) return { moved: error.path };
    if (error instanceof UnauthorizedError || error instanceof ForbiddenError) return { status: 401 };
    // Services and views are no pages: the client has no content for them.
    if (error instanceof NotFoundError) return { status: 404 };
    throw error;
  }
}

/**
 * Searches for what the parameters of the search page say: words in `text`, the chosen values of the facets `type` and `tag`, content below
 * `path`, from the result `start` on.
 */
export async function search({ text, type, tag, path, start = '0' }: Record<string, string | undefined>) {
  const from = Math.max(0, Number.parseInt(start, 10) || 0);
  const words = { SearchableText: text || undefined, path: path || undefined };
  const found = await canopy
    .search(
      // The name of no type finds nothing.
      { ...words, portal_type: (type || undefined) as TypeName<Site> | undefined, Subject: tag || undefined },
      { facets: ['portal_type', 'Subject'], size: SIZE, start: from, init: { cache: 'no-store' } },
    )
    .first();
  const next = from + found.items.length < found.total ? String(from + SIZE) : undefined;
  const facets = { type: found.facets.portal_type ?? [], tag: found.facets.Subject ?? [] };
  return { items: found.items, total: found.total, facets, next };
}

/** Loads a sitemap of Canopy, with the addresses of this site. */
export async function sitemap(page: string | null, own: string): Promise<Response> {
  // Tells the client how the addresses of Canopy begin.
  await load('/');
  const response = await fetch(`${CANOPY_URL}/sitemap.xml${page === null ? '' : `?page=${encodeURIComponent(page)}`}`);
  const xml = (await response.text()).replace(/(<loc>)([^<]+)/g, (_, tag, address) => tag + own + pathOf(address));
  return new Response(xml, { status: response.status, headers: { 'Content-Type': 'application/xml' } });
}

/** Returns the blocks of content in their order. */
export function blocksOf(content: Content): Block[] {
  if (!('blocks' in content)) return [];
  const { blocks, blocks_layout: layout } = content;
  return (layout?.items ?? []).map((id) => blocks?.[id]).filter((block) => block !== undefined);
}

/** The language of content, as HTML has it. */
export const languageOf = ({ language }: Content): string | undefined =>
  (typeof language === 'string' ? language : language?.token) || undefined;

/** Returns the attributes of the picture of content or of a block. Those of a draft have the token of its preview link. */
export function pictureProps(item: unknown, token?: string) {
  const found = canopy.images(item, {
    sizes: '(max-width: 45rem) 100vw, 45rem',
    ...(token === undefined ? {} : { url: (url) => `${url}?preview_token=${encodeURIComponent(token)}` }),
  });
  if (!found) return undefined;
  const { srcset, ...image } = found;
  return { ...image, srcSet: srcset };
}
