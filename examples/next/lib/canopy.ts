/** Reads content of Canopy on the server of this front end, as a visitor sees it. */

const CANOPY = (process.env.CANOPY_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');

type Scale = { download: string; width: number; height: number };
export type Picture = Scale & { scales?: Record<string, Scale> };
export type SlateNode = { text?: string; type?: string; data?: { url?: string }; children?: SlateNode[] };
export type Block = { '@type': string; value?: SlateNode[]; text?: { data?: string }; url?: string; alt?: string };
export type Summary = { '@id': string; title: string; description?: string };
export type Content = Summary & {
  text?: { data: string } | null;
  blocks?: Record<string, Block>;
  blocks_layout?: { items: string[] };
  image?: Picture | null;
  preview_image?: Picture | null;
  file?: { download: string; filename: string } | null;
  language?: { token: string } | string | null;
  items?: Summary[];
  items_total?: number;
  '@components': {
    navigation: { items: Summary[] };
    breadcrumbs: { items: Summary[] };
    translations?: { items?: { '@id': string; language: string }[] };
  };
};
export type Facet = { value: string; title: string; count: number };
export type Found = { items: Summary[]; items_total: number; facets?: Record<string, Facet[]> };

/** Content, the path that it has moved to, or the status of a page that a visitor may not see. */
export type Loaded = { content: Content } | { moved: string } | { status: 401 | 404 };

/** The beginning of the addresses that Canopy returns: its setting PUBLIC_URL, or the address that it was asked at. */
let base = CANOPY;

/** The path on this site of an address that Canopy returns. Other addresses stay, unless a browser would run them. */
export function pathOf(address: string): string {
  if (address === base || address.startsWith(`${base}/`)) return address.slice(base.length) || '/';
  return URL.canParse(address) && !/^(?:https?|mailto|tel):/.test(new URL(address).protocol) ? '#' : address;
}

export const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(CANOPY + path, { headers: { Accept: 'application/json' }, redirect: 'manual', ...init });

type Tag = (target: string, keys: string[]) => Promise<void>;
/** Loads content by its path. With the token of a preview link it is the draft, which is not kept. `tag` gets the keys of the response. */
export async function load(path: string, token?: string, tag?: Tag): Promise<Loaded> {
  // Services and views are no pages.
  if (path.split('/').some((segment) => /^(?:@|%40|\+\+)/i.test(segment))) return { status: 404 };
  const preview = token === undefined ? '' : `&preview_token=${encodeURIComponent(token)}`;
  const target = `${path}?expand=navigation,breadcrumbs,translations${preview}`;
  const response = await ask(target, token === undefined ? {} : { cache: 'no-store' });
  if (token === undefined) await tag?.(target, response.headers.get('surrogate-key')?.split(' ') ?? []);
  const location = response.headers.get('location');
  if (location !== null) return { moved: pathOf(location).replace(/\?.*/, '') };
  if (response.status === 401 || response.status === 403) return { status: 401 };
  if (response.status === 404) return { status: 404 };
  if (!response.ok) throw new Error(`Canopy returned ${response.status} for ${path}`);
  const content: Content = await response.json();
  const own = path.replace(/\/+$/, '');
  if (content['@id'].endsWith(own)) base = content['@id'].slice(0, content['@id'].length - own.length);
  return { content };
}

/** Searches for words, among what has the chosen values of facets. Returns the first 20 objects, and facets of all results. */
export async function search(text: string, chosen: Record<string, string>): Promise<Found> {
  const query = new URLSearchParams({
    ...chosen,
    SearchableText: text,
    b_size: '20',
    facet_fields: 'portal_type,Subject',
  });
  const response = await ask(`/@search?${query}`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`Canopy returned ${response.status} for a search`);
  return response.json();
}

/** Loads a sitemap of Canopy, with the addresses of this site. */
export async function sitemap(page: string | null, own: string): Promise<Response> {
  await load('/');
  const response = await ask(`/sitemap.xml${page === null ? '' : `?page=${encodeURIComponent(page)}`}`);
  const xml = (await response.text()).replaceAll(`<loc>${base}`, `<loc>${own}`);
  return new Response(xml, { status: response.status, headers: { 'Content-Type': 'application/xml' } });
}

/** Returns the blocks of content in their order. */
export const blocksOf = ({ blocks = {}, blocks_layout: layout }: Content): Block[] =>
  (layout?.items ?? []).flatMap((id) => blocks[id] ?? []);

/** Returns the attributes of a picture: itself and its scales. Those of a draft have the token of its preview link. */
export function pictureProps(picture: Picture, token?: string) {
  const address = (url: string) => (token === undefined ? url : `${url}?preview_token=${encodeURIComponent(token)}`);
  const scales = [...Object.values(picture.scales ?? {}), picture];
  return {
    src: address(picture.download),
    srcSet: scales.map(({ download, width }) => `${address(download)} ${width}w`).join(', '),
    sizes: '(max-width: 45rem) 100vw, 45rem',
    width: picture.width,
    height: picture.height,
  };
}
