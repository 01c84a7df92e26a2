import type { Size } from './image-scales.ts';

/** Size that a browser gives a drawing without any size of its own (CSS Images 3, section 5.1). */
const DEFAULT_SIZE: Size = { width: 300, height: 150 };

/** CSS pixels in one unit (CSS Values 4, section 6.2). Relative units such as `%` and `em` do not give a size. */
const PIXELS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  q: 2.4 / 2.54,
};

/**
 * The size in pixels, whole and at least 1, of an SVG drawing, from its first tag: `width` and `height`, or one of them and the proportions of the
 * `viewBox`, or only the `viewBox`. Undefined for other files. `text` is the beginning of the file.
 */
export function measureSvg(text: string): Size | undefined {
  const attributes = rootAttributes(text);
  if (!attributes) return undefined;
  const [width, height] = [length(attributes.get('width')), length(attributes.get('height'))];
  const box = viewBox(attributes.get('viewBox'));
  const ratio = box ? box.width / box.height : DEFAULT_SIZE.width / DEFAULT_SIZE.height;
  if (width !== undefined) return whole(width, height ?? width / ratio);
  if (height !== undefined) return whole(height * ratio, height);
  return box ? whole(box.width, box.height) : DEFAULT_SIZE;
}

function whole(width: number, height: number): Size | undefined {
  const size = { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
  return Number.isSafeInteger(size.width) && Number.isSafeInteger(size.height) ? size : undefined;
}

function length(value: string | undefined): number | undefined {
  const [, digits, unit = ''] = /^([0-9.]{1,20}(?:e[+-]?\d{1,2})?)([a-z]{0,2})$/i.exec(value?.trim() ?? '') ?? [];
  return positive(Number(digits) * (PIXELS[unit.toLowerCase()] ?? Number.NaN));
}

function viewBox(value: string | undefined): Size | undefined {
  const parts =
    value
      ?.slice(0, 200)
      .trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const [width, height] = [positive(parts[2]), positive(parts[3])];
  return parts.length === 4 && width !== undefined && height !== undefined ? { width, height } : undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** The attributes of the `svg` element if it is the root of the document. */
function rootAttributes(text: string): Map<string, string> | undefined {
  const tag = text.slice(prologLength(text));
  const name = /^<(?:[A-Za-z_][\w.-]{0,50}:)?svg(?=[\s/>])/.exec(tag);
  if (!name) return undefined;
  const attributes = new Map<string, string>();
  const attribute = /\s+([^\s=<>/"']{1,200})\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  attribute.lastIndex = name[0].length;
  for (let match = attribute.exec(tag); match; match = attribute.exec(tag)) {
    const [, key = '', double, single = ''] = match;
    attributes.set(key, double ?? single);
  }
  return attributes;
}

/** Length of the prolog before the root: byte order mark, white space, declaration, comments, document type. */
function prologLength(text: string): number {
  let position = 0;
  for (;;) {
    position = text.length - text.slice(position).trimStart().length;
    const end = endOfPrologPart(text, position);
    if (end === undefined) return position;
    position = end;
  }
}

function endOfPrologPart(text: string, position: number): number | undefined {
  if (text.startsWith('<?', position)) return after(text, '?>', position);
  if (text.startsWith('<!--', position)) return after(text, '-->', position);
  if (!/^<!doctype\s/i.test(text.slice(position, position + 10))) return undefined;
  const close = after(text, '>', position);
  const subset = text.indexOf('[', position);
  if (close === undefined || subset < 0 || subset > close) return close;
  const subsetEnd = after(text, ']', subset);
  return subsetEnd === undefined ? undefined : after(text, '>', subsetEnd);
}

function after(text: string, mark: string, from: number): number | undefined {
  const found = text.indexOf(mark, from);
  return found < 0 ? undefined : found + mark.length;
}
