/** Formats that scales keep: those that every browser shows. */
const KEPT: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

/**
 * The media type of the scales of a picture of this type, without parameters. An SVG drawing is its own scale; TIFF
 * becomes JPEG, and what is known as no picture PNG, which loses nothing.
 */
export function scaleMediaType(contentType: string): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (KEPT.has(type) || type === 'image/svg+xml') return type;
  return type === 'image/tiff' ? 'image/jpeg' : 'image/png';
}
