import { contentSql, type Queryable, references } from '#core';
import type { ClosedRelations } from '../../relations/statements.ts';

/** A reference of public content to content that is not public, by paths and titles. */
export type PrivateLink = { path: string; title: string; target: string; targetTitle: string };

/** Either end may be among the objects, so the two indexes of references are combined. */
const PRIVATE = contentSql.viewed(
  'release-private-links',
  (rule) => `select distinct s.path, coalesce(s.fields->>'title', '') as title, c.path as target,
        coalesce(c.fields->>'title', '') as "targetTitle"
      from reference r join content s on s.oid = r.source join catalog ks on ks.oid = s.oid
        join content c on c.uid = r.target join catalog k on k.oid = c.oid
      where (r.source in (select oid from content where uid = any($2)) or r.target = any($2))
        and ${rule.viewable('$1', { catalog: 'ks', content: 's' })} and ${rule.viewable('$1')}
        and ${rule.viewable('$6', { catalog: 'ks', content: 's' })} and (${rule.visibleNow('$6')}) is not true
        and r.relation <> '${references.CLOSED_LINKS}'
        and not exists (select from unnest($3::text[], $4::text[]) closed(type, name) where closed.type = s.type and closed.name = r.relation)
      order by s.path, c.path limit $5`,
);

/**
 * The references of content that visitors may view to content that they may not, or that is outside of its dates, as far as the viewers may view both
 * ends, of which one is among some objects. `visitors` are the tokens of visitors.
 */
export const privateLinks = (
  db: Queryable,
  {
    uids,
    principals,
    rule,
    closed,
    limit,
    visitors,
  }: contentSql.Viewers & {
    uids: readonly string[];
    closed: ClosedRelations;
    limit: number;
    visitors: readonly string[];
  },
): Promise<PrivateLink[]> =>
  db.query<PrivateLink>({
    ...PRIVATE(rule),
    values: [principals, uids, closed.map(({ type }) => type), closed.map(({ field }) => field), limit, visitors],
  });
