import type { Queryable } from '#core';

/** A folder to which a rule applies. */
export type AssignedFolder = { path: string; title: string; description: string; enabled: boolean; bubbles: boolean };

/** The folders that a rule is assigned to, by path, with the number of all of them. */
export async function foldersOfRule(
  db: Queryable,
  rule: string,
  limit: number,
): Promise<{ items: AssignedFolder[]; total: number }> {
  const rows = await db.query<AssignedFolder & { total: number }>({
    name: 'folders-of-content-rule',
    text: `select c.path, coalesce(c.fields->>'title', '') as title, coalesce(c.fields->>'description', '') as description,
        a.enabled, a.bubbles, count(*) over ()::int as total
      from content_rule_assignment a join content c on c.oid = a.content where a.rule = $1 order by c.path limit $2`,
    values: [rule, limit],
  });
  return { items: rows.map(({ total: _total, ...item }) => item), total: rows[0]?.total ?? 0 };
}

/** A rule as it applies to a folder. */
export type FolderRule = {
  id: string;
  title: string;
  description: string;
  event: string;
  /** True if the rule itself is on. */
  globalEnabled: boolean;
  /** True if the rule is on in this folder; null for a rule that is not assigned. */
  enabled: boolean | null;
  bubbles: boolean | null;
  /** True if the rule is assigned to a folder above, for everything below. */
  acquired: boolean;
};

/**
 * All rules as they apply to a folder: first the rules assigned to it in their order there, then the rules of the folders above, the nearest first,
 * then the others. A rule of several folders is taken from the nearest. One statement.
 */
export const rulesOfFolder = (
  db: Queryable,
  { oid, ancestors }: { oid: number; ancestors: readonly number[] },
): Promise<FolderRule[]> =>
  db.query<FolderRule>({
    name: 'content-rules-of-folder',
    text: `select r.id, r.title, r.description, r.event, r.enabled as "globalEnabled", coalesce(own.enabled, above.enabled) as enabled,
        coalesce(own.bubbles, above.bubbles) as bubbles, own.rule is null and above.rule is not null as acquired
      from content_rule r
      left join content_rule_assignment own on own.rule = r.id and own.content = $1
      left join lateral (
        select a.* from content_rule_assignment a where a.rule = r.id and a.content = any($2) and a.bubbles
        order by array_position($2::bigint[], a.content) limit 1
      ) above on true
      order by own.position nulls last, array_position($2::bigint[], above.content) nulls last, above.position nulls last, r.number`,
    values: [oid, ancestors],
  });

/** Assigns a rule to a folder, behind its other rules. A rule that it has already stays unchanged. Returns whether the rule exists. */
export async function assignRule(
  db: Queryable,
  { oid, rule, bubbles = false }: { oid: number; rule: string; bubbles?: boolean },
): Promise<boolean> {
  const rows = await db.query({
    name: 'assign-content-rule',
    text: `with found as (select id from content_rule where id = $2 for key share), assigned as (
        insert into content_rule_assignment (content, rule, position, enabled, bubbles)
        select $1, id, (select coalesce(max(position) + 1, 0) from content_rule_assignment where content = $1), true, $3 from found
        on conflict (content, rule) do nothing
      )
      select id from found`,
    values: [oid, rule, bubbles],
  });
  return rows.length > 0;
}

/** Assigns rules to everything of the site: to its root `oid` and what is below, switched on. */
export async function assignEverywhere(db: Queryable, oid: number, rule: string): Promise<boolean> {
  const found = await assignRule(db, { oid, rule, bubbles: true });
  await changeAssignments(db, { oid, rules: [rule], enabled: true, bubbles: true });
  return found;
}

/** Changes the given switches of assignments. Returns the rules that are assigned. */
export async function changeAssignments(
  db: Queryable,
  {
    oid,
    rules,
    enabled,
    bubbles,
  }: { oid: number; rules: readonly string[]; enabled?: boolean | undefined; bubbles?: boolean | undefined },
): Promise<string[]> {
  const rows = await db.query<{ rule: string }>({
    name: 'change-content-rule-assignments',
    text: `update content_rule_assignment set enabled = coalesce($3::boolean, enabled), bubbles = coalesce($4::boolean, bubbles)
      where content = $1 and rule = any($2) returning rule`,
    values: [oid, rules, enabled, bubbles],
  });
  return rows.map(({ rule }) => rule);
}

/** The rules that are assigned to a folder, in their order there. */
export async function assignedRules(db: Queryable, oid: number): Promise<string[]> {
  const rows = await db.query<{ rule: string }>({
    name: 'assigned-content-rules',
    text: 'select rule from content_rule_assignment where content = $1 order by position, rule',
    values: [oid],
  });
  return rows.map(({ rule }) => rule);
}

/** Puts all rules of a folder into the given order. */
export async function orderAssignments(db: Queryable, oid: number, rules: readonly string[]): Promise<void> {
  await db.query({
    name: 'order-content-rule-assignments',
    text: `update content_rule_assignment a set position = n.number - 1
      from unnest($2::text[]) with ordinality n(rule, number) where a.content = $1 and a.rule = n.rule`,
    values: [oid, rules],
  });
}

/** Removes rules from a folder. Returns the rules that it had. */
export async function unassignRules(db: Queryable, oid: number, rules: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ rule: string }>({
    name: 'unassign-content-rules',
    text: 'delete from content_rule_assignment where content = $1 and rule = any($2) returning rule',
    values: [oid, rules],
  });
  return rows.map(({ rule }) => rule);
}
