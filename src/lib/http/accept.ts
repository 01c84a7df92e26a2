/** The header `Accept`: the media types that a client takes (RFC 9110, 12.5.1). */

/** A media range of the header: its name in lower case, such as `text/html` or `text/*`, and its quality, from 0 to 1. */
export type MediaRange = { name: string; quality: number };

/** Maximum number of media ranges of a header that are parsed. */
const MAX_RANGES = 50;

/** The quality of a media range by its parameters (RFC 9110, 12.4.2); 1 without a quality, 0 for a malformed one. */
function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality.slice('q='.length)) : 0;
}

/** The media ranges of a header; none without the header. */
export const parseAccept = (accept: string | undefined): MediaRange[] =>
  (accept ?? '').split(',', MAX_RANGES).flatMap((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return name === '' ? [] : [{ name, quality: qualityOf(parameters) }];
  });

/**
 * The quality of media types that a header names explicitly; 0 for none. Wildcards do not count, because clients without support for the type send
 * them, too.
 */
export const namedQuality = (ranges: readonly MediaRange[], isMeant: (name: string) => boolean): number =>
  ranges.reduce((best, { name, quality }) => (isMeant(name) ? Math.max(best, quality) : best), 0);

/** Those of some media types that a header names explicitly. */
export function acceptedByName<Type extends string>(accept: string | undefined, types: readonly Type[]): Type[] {
  const ranges = parseAccept(accept);
  return types.filter((type) => namedQuality(ranges, (name) => name === type) > 0);
}

/** Says if a header names the media type explicitly. */
export const acceptsByName = (accept: string | undefined, type: string): boolean =>
  acceptedByName(accept, [type]).length > 0;

/** Says if a client takes a media type: the most specific range that includes it counts. A header without ranges takes everything. */
export function isAcceptable(ranges: readonly MediaRange[], mediaType: string): boolean {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const names = [type, `${type.split('/', 1)[0]}/*`, '*/*'];
  const closest = names.find((name) => ranges.some((range) => range.name === name));
  return ranges.length === 0 || namedQuality(ranges, (name) => name === closest) > 0;
}
