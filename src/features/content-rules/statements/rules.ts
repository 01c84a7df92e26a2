import type { Queryable } from '#core';
import type { JsonObject } from '#lib/json-object';

/** A condition or an action as it is stored: the name of its kind, and its values. */
export type StoredElement = { type: string; values: JsonObject };

/** A content rule as it is stored. */
export type StoredRule = {
  id: string;
  title: string;
  description: string;
  /** Name of the event that the rule follows on, see `rule-events.ts`. */
  event: string;
  enabled: boolean;
  /** True if no further rule runs after this rule. */
  stop: boolean;
  /** True if its actions may start other rules. */
  cascading: boolean;
  conditions: StoredElement[];
  actions: StoredElement[];
};

/** A rule in a list. */
export type RuleEntry = Omit<StoredRule, 'conditions' | 'actions'> & { assigned: boolean; failures: number };

const COLUMNS = 'r.id, r.title, r.description, r.event, r.enabled, r.stop, r.cascading';

/** All rules in the order in which they were made; a site has a limited number of them. */
export const listRules = (db: Queryable): Promise<RuleEntry[]> =>
  db.query<RuleEntry>({
    name: 'list-content-rules',
    text: `select ${COLUMNS}, r.failures, exists (select from content_rule_assignment a where a.rule = r.id) as assigned
      from content_rule r order by r.number`,
  });

/** A rule with its number of failures; undefined for an unknown id. `lock` keeps others from changing it. */
export async function findRule(
  db: Queryable,
  id: string,
  { lock = false } = {},
): Promise<(StoredRule & { failures: number }) | undefined> {
  const [rule] = await db.query<StoredRule & { failures: number }>({
    name: lock ? 'lock-content-rule' : 'find-content-rule',
    text: `select ${COLUMNS}, r.conditions, r.actions, r.failures from content_rule r where r.id = $1
      ${lock ? 'for no key update' : ''}`,
    values: [id],
  });
  return rule;
}

/** Returns the ids that rules have already. */
export async function takenRuleIds(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({
    name: 'taken-content-rule-ids',
    text: 'select id from content_rule where id = any($1)',
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** The ids of all rules. */
export async function ruleIds(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'content-rule-ids',
    text: 'select id from content_rule order by id',
  });
  return rows.map(({ id }) => id);
}

export async function countRules(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    name: 'count-content-rules',
    text: 'select count(*)::int as count from content_rule',
  });
  return row?.count ?? 0;
}

export async function insertRule(db: Queryable, rule: StoredRule): Promise<void> {
  const { id, title, description, event, enabled, stop, cascading, conditions, actions } = rule;
  await db.query({
    name: 'insert-content-rule',
    text: `insert into content_rule (id, title, description, event, enabled, stop, cascading, conditions, actions)
      values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb)`,
    values: [
      ...[id, title, description, event, enabled, stop, cascading],
      ...[JSON.stringify(conditions), JSON.stringify(actions)],
    ],
  });
}

/** Makes a rule, or replaces the rule with its id. */
export async function replaceRule(db: Queryable, rule: StoredRule): Promise<void> {
  if ((await takenRuleIds(db, [rule.id])).has(rule.id)) await updateRule(db, rule);
  else await insertRule(db, rule);
}

/** Updates all columns of a rule except its id. */
export async function updateRule(db: Queryable, rule: StoredRule): Promise<void> {
  const { id, title, description, event, enabled, stop, cascading, conditions, actions } = rule;
  await db.query({
    name: 'update-content-rule',
    text: `update content_rule set title = $2, description = $3, event = $4, enabled = $5, stop = $6, cascading = $7,
      conditions = $8::jsonb, actions = $9::jsonb where id = $1`,
    values: [
      ...[id, title, description, event, enabled, stop, cascading],
      ...[JSON.stringify(conditions), JSON.stringify(actions)],
    ],
  });
}

/** Removes a rule with its assignments and failures. Returns whether there was such a rule. */
export async function deleteRule(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query({
    name: 'delete-content-rule',
    text: 'delete from content_rule where id = $1 returning id',
    values: [id],
  });
  return rows.length > 0;
}

/** The events that enabled rules follow on, in order. */
export async function followedEvents(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ event: string }>({
    name: 'followed-events',
    text: 'select distinct event from content_rule where enabled order by event',
  });
  return rows.map(({ event }) => event);
}

/** Rules by their ids, in no order. */
export const findRules = (db: Queryable, ids: readonly string[]): Promise<StoredRule[]> =>
  db.query<StoredRule>({
    name: 'find-content-rules',
    text: `select ${COLUMNS}, r.conditions, r.actions from content_rule r where r.id = any($1)`,
    values: [ids],
  });

/** A rule that applies to an object, by its number. */
export type MatchedRule = { oid: number; rule: string };

/**
 * The enabled rules of an event that apply to objects: the rules of the container of each object, then the rules of the containers above that apply
 * to everything below, the nearest first; rules of one container in their order there. With `self` the rules of the object itself apply as well;
 * rules of the site root always apply to the root. No rule applies to a working copy and the content below it, because rules would publish, copy and
 * report unfinished content.
 */
export const matchRules = (
  db: Queryable,
  { event, oids, self }: { event: string; oids: readonly number[]; self: boolean },
): Promise<MatchedRule[]> =>
  db.query<MatchedRule>({
    name: 'match-content-rules',
    text: `with recursive way as (
        select oid as subject, oid, parent, 0 as steps from content where oid = any($2)
        union all
        select w.subject, c.oid, c.parent, w.steps + 1 from way w join content c on c.oid = w.parent
      ), nearest as (
        select distinct on (w.subject, a.rule) w.subject, a.rule, w.steps, a.position
        from way w join content_rule_assignment a on a.content = w.oid and a.enabled
        where (w.steps > 0 or $3::boolean or w.parent is null) and (w.steps <= 1 or a.bubbles)
        order by w.subject, a.rule, w.steps
      )
      select n.subject as oid, n.rule from nearest n join content_rule r on r.id = n.rule
      where r.event = $1 and r.enabled
        and not exists (select from way w join working_copy k on k.copy = w.oid where w.subject = n.subject)
      order by n.subject, n.steps, n.position, r.number`,
    values: [event, oids, self],
  });
