import type { Queryable } from '#core';

/** A rule in a folder. */
export type RulePlace = { rule: string; path: string; enabled: boolean; bubbles: boolean };

/** The folders of rules. */
export const assignmentsOfRules = (db: Queryable, rules: readonly string[]): Promise<RulePlace[]> =>
  db.query<RulePlace>({
    name: 'assignments-of-content-rules',
    text: `select a.rule, c.path, a.enabled, a.bubbles from content_rule_assignment a join content c on c.oid = a.content
      where a.rule = any($1) order by a.rule, c.path`,
    values: [rules],
  });

/** The numbers of the content at these paths. */
export async function findFolders(db: Queryable, paths: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ oid: number; path: string }>({
    name: 'folders-for-content-rules',
    text: 'select oid, path from content where path = any($1)',
    values: [paths],
  });
  return new Map(rows.map(({ oid, path }) => [path, oid]));
}

/** Assigns a rule to exactly these folders. In a new folder it comes behind the other rules. */
export async function writeAssignments(
  db: Queryable,
  rule: string,
  places: readonly { oid: number; enabled: boolean; bubbles: boolean }[],
): Promise<void> {
  const oids = places.map(({ oid }) => oid);
  await db.query({
    name: 'clear-other-content-rule-assignments',
    text: 'delete from content_rule_assignment where rule = $1 and content <> all($2::bigint[])',
    values: [rule, oids],
  });
  await db.query({
    name: 'write-content-rule-assignments',
    text: `insert into content_rule_assignment (content, rule, position, enabled, bubbles)
      select n.content, $1, (select coalesce(max(a.position) + 1, 0) from content_rule_assignment a where a.content = n.content),
        n.enabled, n.bubbles
      from unnest($2::bigint[], $3::boolean[], $4::boolean[]) n(content, enabled, bubbles)
      on conflict (content, rule) do update set enabled = excluded.enabled, bubbles = excluded.bubbles`,
    values: [rule, oids, places.map(({ enabled }) => enabled), places.map(({ bubbles }) => bubbles)],
  });
}
