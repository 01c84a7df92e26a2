import { AT_OR_BELOW, type ContentObject, OBJECT_COLUMNS, type Queryable, UNPACKED, VIEWABLE } from '#core';

/**
 * The next objects at or below `path`, after the path `after`, that `principals` may view, in the order of their paths.
 * `literal` narrows them to those with this text in a value; it may only have characters that JSON does not escape.
 */
export const replaceCandidates = (
  db: Queryable,
  {
    path,
    after,
    principals,
    literal,
    limit,
  }: { path: string; after: string; principals: readonly string[]; literal: string | undefined; limit: number },
): Promise<ContentObject[]> =>
  db.query<ContentObject>({
    name: 'replace-candidates',
    text: `select ${OBJECT_COLUMNS} from content c join catalog k using (oid) ${UNPACKED}
      where ${AT_OR_BELOW('c.path', '$1::text')} and c.path > $2 and ${VIEWABLE('$3')}
        and ($4::text is null or position($4 in c.fields::text) > 0)
      order by c.path limit $5`,
    values: [path, after, principals, literal ?? null, limit],
  });
