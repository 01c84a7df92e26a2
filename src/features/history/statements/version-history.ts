import type { Queryable } from '../../../storage/database.ts';

/** An entry of the history of an object: a version (`number` is set) or a change of its workflow state. */
export type HistoryRow = {
  at: Date;
  actor: string;
  /** Full name of the actor, or the id where there is none. */
  fullname: string;
  comments: string;
  number: number | null;
  fields: string[];
  workflow: string | null;
  action: string | null;
  reviewState: string | null;
};

const TEXT = `with entries as (
    select at, actor, note as comments, number, fields, null as workflow, null as action, null as "reviewState", number::bigint as place
    from version where content = $1
    union all
    select created, owner, '', 0, '{}', null, null, null, 0 from content
    where oid = $1 and $2 and not exists (select 1 from version where content = $1)
    union all
    select at, actor, comments, null, '{}', workflow, action, review_state, id from workflow_history where content = $1 and $3
  ), page as (
    select * from entries order by at desc, (number is null), place desc limit $4 offset $5
  )
  select page.at, page.actor, coalesce(nullif(a.fullname, ''), page.actor) as fullname, page.comments, page.number, page.fields,
    page.workflow, page.action, page."reviewState"
  from page left join account a on a.id = page.actor
  order by page.at desc, (page.number is null), page.place desc`;

/**
 * A part of the history of an object, newest first: its versions and, with `workflow`, the changes of its state. With
 * `versioned` an object without any version has one: what it is. One statement.
 */
export const listHistory = (
  db: Queryable,
  {
    content,
    versioned,
    workflow,
    limit,
    offset,
  }: { content: number; versioned: boolean; workflow: boolean; limit: number; offset: number },
): Promise<HistoryRow[]> =>
  db.query<HistoryRow>({
    name: 'version-history',
    text: TEXT,
    values: [content, versioned, workflow, limit, offset],
  });
