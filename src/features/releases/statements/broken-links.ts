import { contentSql, type Queryable, references } from '#core';
import type { ClosedRelations } from '../../relations/statements.ts';

/** An object with a reference to content that is not there: its path and its title. */
export type BrokenLink = { uid: string; path: string; title: string };

const BROKEN = contentSql.viewed(
  'release-broken-links',
  (rule) => `select distinct s.uid, s.path, coalesce(s.fields->>'title', '') as title
      from content s join reference r on r.source = s.oid join catalog k on k.oid = s.oid
      where s.uid = any($2) and ${rule.viewable('$1', { catalog: 'k', content: 's' })} and r.relation <> '${references.CLOSED_LINKS}'
        and not exists (select from unnest($3::text[], $4::text[]) closed(type, name) where closed.type = s.type and closed.name = r.relation)
        and not exists (select from content t where t.uid = r.target)
      order by s.path limit $5`,
);

/** The objects among some that refer to content which is not there, as far as the viewers may view them and their references. */
export const brokenLinks = (
  db: Queryable,
  {
    uids,
    principals,
    rule,
    closed,
    limit,
  }: contentSql.Viewers & { uids: readonly string[]; closed: ClosedRelations; limit: number },
): Promise<BrokenLink[]> =>
  db.query<BrokenLink>({
    ...BROKEN(rule),
    values: [principals, uids, closed.map(({ type }) => type), closed.map(({ field }) => field), limit],
  });
