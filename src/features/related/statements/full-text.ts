import { contentSql, type Queryable, type references } from '#core';

/** An object that has words in common with another; `similarity` from 0 to 1. */
export type RelatedRow = Omit<references.TargetRow, 'viewers'> & { similarity: number };

/** The scope of a search for similar objects: the object, the viewers, the excluded types, and the maximum number. */
export type RelatedScope = contentSql.Viewers & {
  oid: number;
  hiddenTypes: readonly string[];
  limit: number;
};

/** Maximum number of words of an object that are searched: words of the title first, then of the summary, then of the text; frequent words first. */
const MAX_WORDS = 20;
/** Maximum number of words from which these are chosen: more, because words of every text are more frequent than telling words. */
const MAX_KNOWN = 300;
/** Maximum number of objects with such words that are compared: common words may occur in every object of the site. */
const MAX_CANDIDATES = 2000;

const TEXT = contentSql.viewed(
  'nav-related',
  (rule) => `with own as (select searchable from catalog where oid = $1),
  known as materialized (
    select w.lexeme, row_number() over (
      order by (select sum(case weight when 'A' then 1.0 when 'B' then 0.4 when 'C' then 0.2 else 0.1 end) from unnest(w.weights) weight) desc,
        length(w.lexeme) desc, w.lexeme) as place
    from own, unnest(own.searchable) w order by place limit ${MAX_KNOWN}
  ),
  -- A text is indexed by its words and by their stems. Only what is its own stem counts: no word twice, and none that says nothing.
  words as (
    select lexeme from known where lexeme = any(tsvector_to_array(to_tsvector($5::regconfig, lexeme))) order by place limit ${MAX_WORDS}
  ),
  query as materialized (
    select string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''', ' | ')::tsquery as q from words
  ),
  candidates as (
    select k.oid, ts_rank(k.searchable, query.q) as rank from query join catalog k on k.searchable @@ query.q join content c on c.oid = k.oid
    where k.oid <> $1 and c.type <> all($3::text[]) and ${rule.visibleNow('$2')}
    limit ${MAX_CANDIDATES}
  ),
  best as (select oid, rank from candidates order by rank desc, oid limit $4)
  select ${contentSql.LISTED_COLUMNS},
    least(1, best.rank / nullif((select ts_rank(own.searchable, query.q) from own, query), 0))::float8 as similarity
  from best join content c on c.oid = best.oid
  order by best.rank desc, c.oid`,
);

/**
 * The objects most similar to the object `oid` by their words, the most similar first, as far as the viewers may view them. `hiddenTypes` are left
 * out; `stemmer` is the text search configuration of the object's language. The similarity of an object with itself is 1. One statement.
 */
export const relatedRows = (
  db: Queryable,
  { oid, principals, rule, hiddenTypes, limit, stemmer }: RelatedScope & { stemmer: string },
): Promise<RelatedRow[]> =>
  db.query<RelatedRow>({ ...TEXT(rule), values: [oid, principals, hiddenTypes, limit, stemmer] });
