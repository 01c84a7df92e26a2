import { type ContentObject, contentSql, type Queryable } from '#core';

const CANDIDATES = contentSql.viewed(
  'replace-candidates',
  (rule) => `select ${contentSql.OBJECT_COLUMNS} from content c join catalog k using (oid)
      where ${contentSql.AT_OR_BELOW('c.path', '$1::text')} and c.path > $2 and ${rule.viewable('$3')}
        and ($4::text is null or position($4 in ${contentSql.fieldsText('c')}) > 0)
      order by c.path limit $5`,
);

/**
 * The next objects at or below `path`, after the path `after`, that the viewers may view, in the order of their paths. `literal` narrows them to
 * objects with this text in a value; it may only have characters that JSON does not escape.
 */
export const replaceCandidates = (
  db: Queryable,
  {
    path,
    after,
    principals,
    rule,
    literal,
    limit,
  }: contentSql.Viewers & { path: string; after: string; literal: string | undefined; limit: number },
): Promise<ContentObject[]> =>
  db.query<ContentObject>({
    ...CANDIDATES(rule),
    values: [path, after, principals, literal ?? null, limit],
  });
