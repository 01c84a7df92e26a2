import { isObject, textOf } from './json.ts';

/** The attributes of an `img`. */
export type ImageAttributes = {
  src: string;
  srcset: string;
  sizes: string;
  width: number;
  height: number;
};

export type ImageOptions = {
  /** The field of the picture; by default the first of the usual fields that has a picture. */
  field?: string | undefined;
  /**
   * The width at which the picture is shown, in the form of `sizes` of HTML. The default is the width of the window, up to the width of the picture.
   */
  sizes?: string | undefined;
  /** Maximum width of scales in pixels: wider scales are left out, except the smallest. */
  maxWidth?: number | undefined;
  /** Changes each address, such as to an address of a cache. */
  url?: ((address: string) => string) | undefined;
};

/** Fields with a picture for lists and pages, the most specific first. */
const FIELDS = ['preview_image', 'preview_image_link', 'image'];

type Size = { download: string; width: number; height: number };

const sizeOf = (value: unknown): Size[] => {
  const download = textOf(value, 'download');
  if (download === undefined || !isObject(value)) return [];
  const { width, height } = value;
  return typeof width === 'number' && typeof height === 'number' && width > 0 ? [{ download, width, height }] : [];
};

/** The picture of a field: the value of content, the column of a summary, or the picture of linked content. */
function pictureOf(item: unknown, field: string | undefined): { picture: unknown; owner: string } | undefined {
  if (!isObject(item)) return undefined;
  const owner = textOf(item, '@id') ?? '';
  if (isObject(item.scales) && item.download !== undefined) return { picture: item, owner };
  const columns = isObject(item.image_scales) ? item.image_scales : {};
  const shown = textOf(item, 'image_field');
  for (const name of field === undefined ? [...FIELDS, ...(shown ? [shown] : [])] : [field]) {
    const value = item[name];
    if (isObject(value) && sizeOf(value).length > 0) return { picture: value, owner };
    const linked = pictureOf(value, undefined);
    if (linked) return linked;
    const column = columns[name];
    if (Array.isArray(column) && sizeOf(column[0]).length > 0) return { picture: column[0], owner };
  }
  return undefined;
}

/** Returns the attributes of the picture of content, of a summary, of a block or of a field; undefined without a picture. */
export function imageAttributes(item: unknown, options: ImageOptions = {}): ImageAttributes | undefined {
  const { field, maxWidth = Number.POSITIVE_INFINITY, url = (address: string) => address } = options;
  const found = pictureOf(item, field);
  if (!found || !isObject(found.picture)) return undefined;
  const { picture, owner } = found;
  // Addresses in summaries are relative to the object.
  const absolute = (download: string) => url(/^(?:https?:)?\/|^$/.test(download) ? download : `${owner}/${download}`);
  const scales = isObject(picture.scales) ? Object.values(picture.scales).flatMap(sizeOf) : [];
  const byWidth = new Map<number, Size>();
  for (const size of [...sizeOf(picture), ...scales]) if (!byWidth.has(size.width)) byWidth.set(size.width, size);
  const all = [...byWidth.values()].sort((a, b) => a.width - b.width);
  const fitting = all.filter(({ width }) => width <= maxWidth);
  const used = fitting.length > 0 ? fitting : all.slice(0, 1);
  const largest = used.at(-1);
  if (!largest) return undefined;
  return {
    src: absolute(largest.download),
    srcset: used.map(({ download, width }) => `${absolute(download)} ${width}w`).join(', '),
    sizes: options.sizes ?? `(min-width: ${largest.width}px) ${largest.width}px, 100vw`,
    width: largest.width,
    height: largest.height,
  };
}
