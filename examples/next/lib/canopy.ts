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
  items?: Summary[];
  '@components': { navigation: { items: Summary[] }; breadcrumbs: { items: Summary[] } };
};

/** The beginning of the addresses that Canopy returns: its setting PUBLIC_URL, or the address that it was asked at. */
let base = CANOPY;

/** The path on this site of an address that Canopy returns. Other addresses stay, unless a browser would run them. */
export function pathOf(address: string): string {
  if (address === base || address.startsWith(`${base}/`)) return address.slice(base.length) || '/';
  return URL.canParse(address) && !/^(?:https?|mailto|tel):/.test(new URL(address).protocol) ? '#' : address;
}

const ask = (path: string): Promise<Response> =>
  fetch(CANOPY + path, { headers: { Accept: 'application/json' }, redirect: 'manual' });

/** Loads content by its path: the content, the path that it has moved to, or undefined where a visitor may see nothing. */
export async function load(path: string): Promise<{ content: Content } | { moved: string } | undefined> {
  // Services and views are no pages.
  if (path.split('/').some((segment) => /^(?:@|%40|\+\+)/i.test(segment))) return undefined;
  const response = await ask(`${path}?expand=navigation,breadcrumbs`);
  const location = response.headers.get('location');
  if (location !== null) return { moved: pathOf(location).replace(/\?.*/, '') };
  if ([401, 403, 404].includes(response.status)) return undefined;
  if (!response.ok) throw new Error(`Canopy returned ${response.status} for ${path}`);
  const content: Content = await response.json();
  const own = path.replace(/\/+$/, '');
  if (content['@id'].endsWith(own)) base = content['@id'].slice(0, content['@id'].length - own.length);
  return { content };
}

/** Returns the first 20 objects that a search finds. */
export async function search(text: string): Promise<Summary[]> {
  if (text.trim() === '') return [];
  const response = await ask(`/@search?b_size=20&SearchableText=${encodeURIComponent(text)}`);
  if (!response.ok) throw new Error(`Canopy returned ${response.status} for a search`);
  const found: { items: Summary[] } = await response.json();
  return found.items ?? [];
}

/** Returns the blocks of content in their order. */
export const blocksOf = ({ blocks = {}, blocks_layout: layout }: Content): Block[] =>
  (layout?.items ?? []).flatMap((id) => blocks[id] ?? []);

/** Returns the `srcset` of a picture: its scales and itself. */
export const srcsetOf = (picture: Picture): string =>
  [...Object.values(picture.scales ?? {}), picture].map(({ download, width }) => `${download} ${width}w`).join(', ');
