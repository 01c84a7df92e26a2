import { claims, contentSql, type Queryable } from '#core';

/** Callers without a recent question that are deleted with each new question. */
const PRUNE_BATCH = 100;

/** Limits for one caller: `requests` in `seconds`, and `concurrent` questions that are answered at once, each with a maximum time. */
type UseLimits = { requests: number; seconds: number; concurrent: number; answerSeconds: number };

/** The result of an admission: the time of the question, or the seconds until there is room. */
type Admission = { asked: string } | { retryAfter: number; tooMany: 'requests' | 'concurrent' };

const RECENT = `(select coalesce(array_agg(at order by at), '{}') from unnest(model_use.asked) at
    where at > clock_timestamp() - make_interval(secs => $3::float8))`;
const RUNNING = `(select coalesce(array_agg(at order by at), '{}') from unnest(model_use.answering) at
    where at > clock_timestamp() - make_interval(secs => $5::float8))`;

/** The time of a question, which identifies it. Two questions of one caller never have the same time, even with a coarse clock. */
const NEXT = `greatest(excluded.latest, model_use.latest + interval '1 microsecond')`;

/**
 * Records a question of a caller unless that exceeds a limit. `request-limits.ts` of the storage does not fit: it records in the transaction of a
 * write, and a question has no transaction; and questions that are being answered count here as well, until they end. One statement locks the row of
 * the caller, so that the limits hold over all processes. A question whose process died counts as answered after the longest time that an answer
 * takes.
 */
async function recordQuestion(
  db: Queryable,
  caller: string,
  { requests, seconds, concurrent, answerSeconds }: UseLimits,
): Promise<string | undefined> {
  const [row] = await db.query<{ asked: string }>({
    name: 'ai-record-question',
    reads: false,
    text: `with old as (
        delete from model_use where ctid in (
          ${claims.UNCLAIMED(`select ctid from model_use
          where latest < clock_timestamp() - make_interval(secs => greatest($3::float8, $5::float8)) and caller <> $1 limit ${PRUNE_BATCH}`)})
      ),
      question as (select clock_timestamp() as at)
      insert into model_use (caller, asked, answering, latest) select $1, array[at], array[at], at from question
      on conflict (caller) do update set
        asked = ${RECENT} || ${NEXT}, answering = ${RUNNING} || ${NEXT}, latest = ${NEXT}
      where cardinality(${RECENT}) < $2::int and cardinality(${RUNNING}) < $4::int
      returning latest::text as asked`,
    values: [caller, requests, seconds, concurrent, answerSeconds],
  });
  return row?.asked;
}

/** Asks for room for a question. At most two statements. */
export async function admitQuestion(db: Queryable, caller: string, limits: UseLimits): Promise<Admission> {
  const asked = await recordQuestion(db, caller, limits);
  if (asked !== undefined) return { asked };
  const [row] = await db.query<{ seconds: number | null }>({
    name: 'ai-next-question',
    text: `select case when cardinality(recent) >= $2::int
        then ceil(extract(epoch from recent[cardinality(recent) - $2::int + 1] + make_interval(secs => $3::float8) - clock_timestamp()))::int
        end as seconds
      from (select ${RECENT} as recent from model_use where caller = $1) used`,
    values: [caller, limits.requests, limits.seconds],
  });
  return row?.seconds === undefined || row.seconds === null
    ? { retryAfter: 5, tooMany: 'concurrent' }
    : { retryAfter: Math.max(1, row.seconds), tooMany: 'requests' };
}

/** Records that a question is answered, or given up. */
export async function finishQuestion(db: Queryable, caller: string, asked: string): Promise<void> {
  await db.query({
    name: 'ai-finish-question',
    reads: false,
    text: 'update model_use set answering = array_remove(answering, $2::timestamptz) where caller = $1',
    values: [caller, asked],
  });
}

/** The words of a search, the languages whose text search configurations apply, the viewers, and the excluded places. */
type WordScope = contentSql.Viewers & {
  words: readonly string[];
  stemmers: readonly string[];
  hiddenTypes: readonly string[];
  limit: number;
};

/** Maximum number of objects with one word that are counted and compared: a more frequent word says little. */
const MAX_OF_WORD = 1000;
/** Maximum number of objects that are compared altogether. */
const MAX_CANDIDATES = 2000;

const visible = (rule: contentSql.ViewRule): string => `c.type <> all($4::text[]) and ${rule.visibleNow('$3')}`;

/**
 * Unlike a search, the words of a question need not all occur: each counts the more, the fewer objects have it. Words that a
 * language has in every text (stop words) do not count.
 */
const BY_WORDS = contentSql.viewed(
  'ai-find-by-words',
  (rule) => `with stemmer as (select name::regconfig as config from unnest($2::text[]) name),
  asked as materialized (
    select a.word, concat_ws(' | ', '''' || a.word || '''', (
      select string_agg(stem, ' | ') from (select to_tsquery(s.config, '''' || a.word || '''')::text as stem from stemmer s) stems where stem <> ''
    ))::tsquery as query
    from unnest($1::text[]) a(word)
    where not exists (select from stemmer s where to_tsvector(s.config, a.word) = ''::tsvector)
  ),
  counted as materialized (
    select a.word, a.query, (
      select count(*)::float8 from (
        select from catalog k join content c on c.oid = k.oid where k.searchable @@ a.query and ${visible(rule)} limit ${MAX_OF_WORD}
      ) hit
    ) as hits
    from asked a
  ),
  known as materialized (select * from counted where hits > 0 order by hits),
  candidates as materialized (
    select distinct oid from (
      select found.oid from known cross join lateral (
        select k.oid from catalog k join content c on c.oid = k.oid where k.searchable @@ known.query and ${visible(rule)} limit ${MAX_OF_WORD}
      ) found limit ${MAX_CANDIDATES}
    ) gathered
  )
  select k.oid from candidates join catalog k using (oid) cross join known
  where k.searchable @@ known.query
  group by k.oid
  order by sum(ln(1 + ${MAX_OF_WORD} / known.hits) * (1 + ts_rank(k.searchable, known.query))) desc, k.oid
  limit $5`,
);

/** The numbers of the objects that have the most telling words of a question, as far as the viewers may view them. One statement. */
export async function findByWords(
  db: Queryable,
  { words, stemmers, principals, rule, hiddenTypes, limit }: WordScope,
): Promise<number[]> {
  if (words.length === 0) return [];
  const rows = await db.query<{ oid: number }>({
    ...BY_WORDS(rule),
    values: [words, stemmers, principals, hiddenTypes, limit],
  });
  return rows.map(({ oid }) => oid);
}
