/**
 * Whether an `If-None-Match` header names the entity tag (RFC 9110, 13.1.2): weak comparison, so that a tag that a proxy
 * made weak counts too. `etag` has its quotes.
 */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((item) => {
    const tag = item.trim();
    return tag === '*' || (tag.startsWith('W/') ? tag.slice(2) : tag) === etag;
  });
}
