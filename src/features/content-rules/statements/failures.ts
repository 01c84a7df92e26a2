import type { Queryable } from '#core';

/** A failure of a rule, with the path of the content and the reason. */
export type RuleFailure = { at: Date; path: string; message: string };

/** Maximum number of stored failures of one rule. */
const MAX_KEPT = 20;

/** Rules that have failed within so many seconds, each with the number of its stored failures; at most a hundred rules. */
export const countRecentFailures = (db: Queryable, seconds: number): Promise<{ rule: string; failures: number }[]> =>
  db.query<{ rule: string; failures: number }>({
    name: 'count-recent-rule-failures',
    text: `select rule, count(*)::int as failures from content_rule_failure
      where at > clock_timestamp() - make_interval(secs => $1::float8) group by rule order by rule limit 100`,
    values: [seconds],
  });

/** Stores and counts failures of rules, and removes old failures. Failures of missing rules are left out. */
export async function insertFailures(
  db: Queryable,
  failures: readonly (RuleFailure & { rule: string })[],
): Promise<void> {
  await db.query({
    name: 'insert-content-rule-failures',
    text: `with failed as (
        select n.* from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) with ordinality n(rule, at, path, message, number)
          join content_rule r on r.id = n.rule
      ), counted as (
        update content_rule r set failures = failures + f.count
        from (select rule, count(*) as count from failed group by rule order by rule) f where r.id = f.rule
      ), old as (
        delete from content_rule_failure k using (
          select id, row_number() over (partition by rule order by id desc) as age from content_rule_failure
          where rule in (select rule from failed)
        ) aged where k.id = aged.id and aged.age >= ${MAX_KEPT}
      )
      insert into content_rule_failure (rule, at, path, message)
      select rule, at, path, message from (
        select f.*, row_number() over (partition by rule order by number desc) as age from failed f
      ) newest where age <= ${MAX_KEPT} order by number`,
    values: [
      failures.map(({ rule }) => rule),
      failures.map(({ at }) => at.toISOString()),
      failures.map(({ path }) => path),
      failures.map(({ message }) => message),
    ],
  });
}

/** The last failures of a rule, the newest first. */
export const listFailures = (db: Queryable, rule: string): Promise<RuleFailure[]> =>
  db.query<RuleFailure>({
    name: 'list-content-rule-failures',
    text: `select at, path, message from content_rule_failure where rule = $1 order by id desc limit ${MAX_KEPT}`,
    values: [rule],
  });
