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
  /** The field of the picture; without it the first of the usual ones that has a picture. */
  field?: string | undefined;
  /** How wide the picture is shown, as `sizes` of HTML has it. Unless given: as wide as the window, up to the width of the picture. */
  sizes?: string | undefined;
  /** Scales that are wider are left out, in pixels; the smallest one stays. */
  maxWidth?: number | undefined;
  /** Changes each address, such as to that of a cache. */
  url?: ((address: string) => string) | undefined;
};

/** Fields that stand for content in lists and pages, the most particular first. */
const FIELDS = ['preview_image', 'preview_image_link', 'image'];

type Size = { download: string; width: number; height: number };

const sizeOf = (value: unknown): Size[] => {
  const download = textOf(value, 'download');
  if (download === undefined || !isObject(value)) return [];
  const { width, height } = value;
  return typeof width === 'number' && typeof height === 'number' && width > 0 ? [{ download, width, height }] : [];
};

/** The picture of a field: of content as it stands, of a summary from its column, and of linked content from its own. */
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
  // In summaries addresses begin at the object.
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
