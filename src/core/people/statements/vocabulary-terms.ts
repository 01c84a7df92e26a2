import type { Queryable } from '../../../database/database.ts';
import { AT_OR_BELOW } from '../../search/statements/fragments.ts';
import { type Viewers, viewed } from '../../search/statements/view-rule.ts';

/** A found term: token and title. */
type TermRow = { token: string; title: string };

/** A filter of terms: a part of their titles or some tokens, in upper or lower case; all terms unless given. */
export type TermWindow = {
  title?: string | undefined;
  tokens?: readonly string[] | undefined;
  start: number;
  size: number;
};

/** One part of the terms by title, and the number of fitting terms. */
export type FoundTerms = { items: TermRow[]; total: number };

/**
 * One part of the terms of a query of `token` and `title`, with the number of all fitting terms in each row; one row without a token when the part is
 * empty. The first four parameters are those of `find`.
 */
const paged = (terms: string): string => `with found as materialized (
    select token, title from (${terms}) term
    where ($1::text is null or strpos(lower(title), lower($1)) > 0)
      and ($2::text[] is null or lower(token) = any(select lower(unnest($2::text[]))))
  )
  select (select count(*)::int from found) as total, page.token, page.title
  from (select) one left join (
    select token, title from found order by lower(title), title, token limit $3::bigint offset $4::bigint
  ) page on true
  order by lower(page.title), page.title, page.token`;

async function find(
  db: Queryable,
  { name, text }: { name: string; text: string },
  { title, tokens, start, size }: TermWindow,
  ...more: unknown[]
): Promise<FoundTerms> {
  const rows = await db.query<{ total: number; token: string | null; title: string | null }>({
    name,
    text,
    values: [title ?? null, tokens ?? null, size, start, ...more],
  });
  return {
    total: rows[0]?.total ?? 0,
    items: rows.flatMap(({ token, title: own }) => (token === null ? [] : [{ token, title: own ?? token }])),
  };
}

const USERS = `select id as token, coalesce(nullif(fullname, ''), id) as title from account`;
/** The group of all users has a row for its roles only. */
const GROUPS = `select id as token, coalesce(nullif(title, ''), id) as title from principal_group where id <> 'AuthenticatedUsers'`;

const USER_TERMS = { name: 'vocabulary-users', text: paged(USERS) };
const GROUP_TERMS = { name: 'vocabulary-groups', text: paged(GROUPS) };
const PRINCIPAL_TERMS = {
  name: 'vocabulary-principals',
  text: paged(
    `select 'user__' || token as token, title from (${USERS}) u union all select 'group__' || token, title from (${GROUPS}) g`,
  ),
};

const VISIBLE = `from content c join catalog k using (oid)`;
const TAG_TERMS = viewed('vocabulary-tags', (rule) =>
  paged(
    `select distinct subject as token, subject as title ${VISIBLE}, unnest(k.subjects) subject
      where ${rule.visibleNow('$5', '$6::boolean')} and ${AT_OR_BELOW('c.path', '$7::text')}`,
  ),
);
// Titles are read only for the page, because the database unpacks all fields of an object for its title.
const CONTENT_TERMS = viewed(
  'vocabulary-content',
  (rule) => `with found as materialized (
      select c.oid, k.sortable_title ${VISIBLE} where ${rule.visibleNow('$5', '$6::boolean')}
        and ($1::text is null or strpos(k.sortable_title, $1) > 0) and ($2::text[] is null or c.uid = any($2))
    ), page as (
      select oid, row_number() over (order by sortable_title, oid) as number
      from found order by number limit $3::bigint offset $4::bigint
    )
    select (select count(*)::int from found) as total, term.token, term.title
    from (select) one left join (
      select page.number, shown.* from page cross join lateral (
        select c.uid as token, coalesce(nullif(c.fields->>'title', ''), c.name) as title
        from content c where c.oid = page.oid offset 0
      ) shown
    ) term on true order by term.number`,
);

/** Users by name. */
export const findUserTerms = (db: Queryable, window: TermWindow): Promise<FoundTerms> => find(db, USER_TERMS, window);

/** Groups by title, without the group of all users. */
export const findGroupTerms = (db: Queryable, window: TermWindow): Promise<FoundTerms> => find(db, GROUP_TERMS, window);

/** Users and groups; tokens are `user__<id>` and `group__<id>` (Plone). Tokens with a colon, as Plone stores values, are found too. */
export const findPrincipalTerms = (db: Queryable, { tokens, ...window }: TermWindow): Promise<FoundTerms> =>
  find(db, PRINCIPAL_TERMS, { ...window, tokens: tokens?.map((token) => token.replace(/^(user|group):/i, '$1__')) });

/** The viewers of content; with `inactive` they also see content outside of its dates. */
export type Viewer = Viewers & { inactive: boolean };

/** The tags of content at or below a path that the viewer may view. */
export const findTagTerms = (
  db: Queryable,
  { principals, rule, inactive, path }: Viewer & { path: string },
  window: TermWindow,
): Promise<FoundTerms> => find(db, TAG_TERMS(rule), window, principals, inactive, path);

/** The content that the viewer may view, by title; tokens are UIDs. `title` is part of the sortable title, see `catalog/sortable-title.ts`. */
export const findContentTerms = (
  db: Queryable,
  { principals, rule, inactive }: Viewer,
  window: TermWindow,
): Promise<FoundTerms> => find(db, CONTENT_TERMS(rule), window, principals, inactive);
