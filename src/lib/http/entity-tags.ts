/** An entity tag with its quotes, weak or strong, with the separators around it in a list (RFC 9110, 8.8.3 and 5.6.1). */
const LISTED_TAG = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*"))?[ \t]*(,|$)/y;

/** An entity tag of a list; `tag` has its quotes. */
export type EntityTag = { tag: string; isWeak: boolean };

/** The value of a header `If-Match` or `If-None-Match` (RFC 9110, 13.1): `*` for any state, or entity tags. Undefined when it is malformed. */
export function parseEntityTags(header: string): '*' | EntityTag[] | undefined {
  if (header.trim() === '*') return '*';
  const tags: EntityTag[] = [];
  LISTED_TAG.lastIndex = 0;
  for (let at = 0; at <= header.length; at = LISTED_TAG.lastIndex) {
    LISTED_TAG.lastIndex = at;
    const match = LISTED_TAG.exec(header);
    if (!match) return undefined;
    const [, weak, tag, end] = match;
    if (tag !== undefined) tags.push({ tag, isWeak: weak !== undefined });
    if (end === '') break;
  }
  return tags.length > 0 ? tags : undefined;
}
