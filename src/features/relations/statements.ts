import { contentSql, type Queryable, references } from '#core';

/** Relation fields that only some viewers of the object may read, by their types: lists leave out their references. */
export type ClosedRelations = readonly { type: string; field: string }[];

/** A condition: the reference is not of a closed field. The parameters are the types and the names of the closed fields. */
const OPEN = (types: string, names: string): string =>
  `r.relation <> '${references.CLOSED_LINKS}' and not exists (select from unnest(${types}::text[], ${names}::text[]) closed(type, name) where closed.type = s.type and closed.name = r.relation)`;

/** The values of the parameters of `OPEN`. */
const closedValues = (closed: ClosedRelations): [string[], string[]] => [
  closed.map(({ type }) => type),
  closed.map(({ field }) => field),
];

/** A filter of references; absent members match everything. */
type RelationFilter = contentSql.Viewers & {
  closed: ClosedRelations;
  relation?: string | undefined;
  /** UIDs of the ends. */
  source?: string | undefined;
  target?: string | undefined;
  /** Paths at or below which the ends are. */
  sourcePath?: string | undefined;
  targetPath?: string | undefined;
  /** Numbers of the objects that may be ends. */
  sources?: readonly number[] | undefined;
  targets?: readonly number[] | undefined;
};

/** One reference by the UIDs of its ends; `total` counts all matching references of its relation. */
export type RelationPair = { relation: string; source: string; target: string; total: number };

const under = (column: string, parameter: string): string =>
  `(${parameter}::text is null or ${contentSql.AT_OR_BELOW(column, `${parameter}::text`)})`;

const PAIRS = contentSql.viewed(
  'relation-pairs',
  (rule) => `with fitting as materialized (
        select r.relation, s.uid as source, t.uid as target,
          row_number() over (partition by r.relation order by s.path, r.position) as number,
          (count(*) over (partition by r.relation))::int as total
        from reference r join content s on s.oid = r.source join catalog ks on ks.oid = s.oid
          join content t on t.uid = r.target join catalog kt on kt.oid = t.oid
        where ${rule.viewable('$1', { catalog: 'ks', content: 's' })} and ${rule.viewable('$1', { catalog: 'kt', content: 't' })} and ${OPEN('$10', '$11')}
          and ($2::text is null or r.relation = $2) and ($3::text is null or s.uid = $3) and ($4::text is null or r.target = $4)
          and ${under('s.path', '$5')} and ${under('t.path', '$6')}
          and ($7::bigint[] is null or s.oid = any($7)) and ($8::bigint[] is null or t.oid = any($8))
      )
      select relation, source, target, total from fitting where number <= $9 order by relation, number`,
);

/** References between objects that the viewers may view, at most `limit` of each relation. */
export const relationPairs = (
  db: Queryable,
  { principals, rule, closed, relation, source, target, sourcePath, targetPath, sources, targets }: RelationFilter,
  limit: number,
): Promise<RelationPair[]> =>
  db.query<RelationPair>({
    ...PAIRS(rule),
    values: [
      principals,
      ...[relation, source, target, sourcePath, targetPath, sources, targets].map((value) => value ?? null),
      limit,
      ...closedValues(closed),
    ],
  });

/** Numbers of references of one relation: between objects that the caller may view, and without a target. */
type RelationCount = { relation: string; whole: number; broken: number };

const COUNTS = contentSql.viewed(
  'count-relations',
  (
    rule,
  ) => `select r.relation, (count(*) filter (where ${rule.viewable('$1', { catalog: 'kt', content: 't' })}))::int as whole,
        (count(*) filter (where t.oid is null))::int as broken
      from reference r join content s on s.oid = r.source join catalog ks on ks.oid = r.source left join content t on t.uid = r.target left join catalog kt on kt.oid = t.oid
      where ${rule.viewable('$1', { catalog: 'ks', content: 's' })} and ${OPEN('$2', '$3')} group by r.relation order by r.relation`,
);

/** Counts references by relation, as far as the viewers may view their ends. */
export const countRelations = (
  db: Queryable,
  { principals, rule, closed }: Pick<RelationFilter, keyof contentSql.Viewers | 'closed'>,
): Promise<RelationCount[]> =>
  db.query<RelationCount>({
    ...COUNTS(rule),
    values: [principals, ...closedValues(closed)],
  });

/** A reference without a target: path of its source, UID of the missing target. */
export type BrokenRelation = { relation: string; path: string; target: string; total: number };

const BROKEN = contentSql.viewed(
  'broken-relations',
  (rule) => `with broken as materialized (
        select r.relation, s.path, r.target, row_number() over (partition by r.relation order by s.path, r.position) as number,
          (count(*) over (partition by r.relation))::int as total
        from reference r join content s on s.oid = r.source join catalog k on k.oid = s.oid
        where ${rule.viewable('$1')} and ($2::text is null or r.relation = $2) and ${OPEN('$4', '$5')}
          and not exists (select 1 from content t where t.uid = r.target)
      )
      select relation, path, target, total from broken where number <= $3 order by relation, number`,
);

/** References without a target, of objects that the viewers may view, at most `limit` of each relation. */
export const brokenRelations = (
  db: Queryable,
  { principals, rule, closed, relation }: Pick<RelationFilter, keyof contentSql.Viewers | 'closed' | 'relation'>,
  limit: number,
): Promise<BrokenRelation[]> =>
  db.query<BrokenRelation>({
    ...BROKEN(rule),
    values: [principals, relation ?? null, limit, ...closedValues(closed)],
  });

const TO_REMOVE = contentSql.viewed(
  'relations-to-remove',
  (
    rule,
  ) => `select r.relation, s.uid as source, r.target from reference r join content s on s.oid = r.source join catalog k on k.oid = s.oid
      where ${rule.viewable('$1')} and r.relation <> '${references.LINKS}' and ${OPEN('$6', '$7')}
        and ($2::text is null or r.relation = $2) and ($3::text is null or s.uid = $3) and ($4::text is null or r.target = $4)
      order by s.path, r.position limit $5`,
);

/** References of relation fields to remove, by the UIDs of their ends, with or without an existing target. */
export const relationsToRemove = (
  db: Queryable,
  {
    principals,
    rule,
    closed,
    relation,
    source,
    target,
  }: Pick<RelationFilter, keyof contentSql.Viewers | 'closed' | 'relation' | 'source' | 'target'>,
  limit: number,
): Promise<Pick<RelationPair, 'relation' | 'source' | 'target'>[]> =>
  db.query({
    ...TO_REMOVE(rule),
    values: [principals, relation ?? null, source ?? null, target ?? null, limit, ...closedValues(closed)],
  });

/**
 * A condition for paths below `path`: names begin after the slash, and `0` follows it in the order of characters. The
 * root's path is the slash alone.
 */
const below = (column: string, path: string): string =>
  `${column} > rtrim(${path}, '/') || '/' and ${column} < rtrim(${path}, '/') || '0'`;

/** An object to be deleted, with the number of objects below it that the caller may view. */
type EndangeredRow = references.TargetRow & { below: number };

const LINK_TARGETS = contentSql.viewed(
  'link-targets',
  (rule) => `select ${contentSql.LISTED_COLUMNS}, ${rule.viewers},
        (select count(*)::int from content d join catalog v using (oid) where ${below('d.path', 'c.path')} and ${rule.viewable('$2', { catalog: 'v' })}) as below
      from content c join catalog k using (oid) where c.uid = any($1) and ${rule.viewable('$2')}
      order by array_position($1::text[], c.uid)`,
);

/** The objects with the given UIDs that the viewers may view, in the order of the UIDs. */
export const linkTargets = (
  db: Queryable,
  uids: string[],
  { principals, rule }: contentSql.Viewers,
): Promise<EndangeredRow[]> =>
  db.query<EndangeredRow>({
    ...LINK_TARGETS(rule),
    values: [uids, principals],
  });

/** A reference that would break: `target` is the UID of the given object that is, or contains, its target. */
type BreachRow = { target: string; uid: string; path: string; title: string };

const BREACHES = contentSql.viewed(
  'link-breaches',
  (rule) => `with asked as materialized (select oid, uid, path from content where uid = any($1)),
      going as (
        select uid as target, uid from asked
        union all select a.uid, d.uid from asked a join content d on ${below('d.path', 'a.path')}
      ), found as (
        select distinct g.target, s.uid, s.path, coalesce(s.fields->>'title', '') as title
        from going g join reference r on r.target = g.uid join content s on s.oid = r.source join catalog k on k.oid = s.oid
        where ${rule.viewable('$2')} and ${OPEN('$4', '$5')}
          and not exists (select 1 from asked a where s.path = a.path or (${below('s.path', 'a.path')}))
      )
      select target, uid, path, title
      from (select found.*, row_number() over (partition by target order by path) as number from found) numbered
      where number <= $3 order by target, path`,
);

/**
 * The objects outside of the given objects that refer to them or to content below them. Only objects that the viewers may view; at most `limit` for
 * each given object, in the order of their paths.
 */
export const linkBreaches = (
  db: Queryable,
  {
    uids,
    principals,
    rule,
    closed,
    limit,
  }: contentSql.Viewers & { uids: string[]; closed: ClosedRelations; limit: number },
): Promise<BreachRow[]> =>
  db.query<BreachRow>({
    ...BREACHES(rule),
    values: [uids, principals, limit, ...closedValues(closed)],
  });
