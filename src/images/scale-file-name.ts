/** The parts of the name of a picture in `@@images/<name>`; `width` is in pixels, 0 for one that was not measured. */
export type ScaleFileName = { field: string; width: number; hash: string; ext: string };

const NAME = /^([A-Za-z0-9_.-]{1,200})-(\d{1,6})-([0-9a-f]{64})\.([a-z0-9]{1,10})$/;

/**
 * The last segment of the address of a picture or of one of its scales, `image-400-<hash>.png`. It changes with the
 * bytes, so what it names may be cached for ever. `width` is the one that comes out, `hash` that of the original blob.
 */
export function scaleFileName(field: string, width: number, hash: string, ext: string): string {
  return `${field}-${Math.max(0, width)}-${hash}.${ext}`;
}

/**
 * The parts of such a name, or undefined when it is none (it may be the name of a field then). The hash is the client's
 * word: whoever serves it has to compare it with the one in the field, lest any blob is readable by its hash.
 */
export function parseScaleFileName(name: string): ScaleFileName | undefined {
  const [, field, width, hash, ext] = NAME.exec(name) ?? [];
  if (field === undefined || width === undefined || hash === undefined || ext === undefined) return undefined;
  return { field, width: Number(width), hash, ext };
}
