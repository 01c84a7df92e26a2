import { firstRow, hasRows, type Queryable } from '#core';
import type { JsonObject } from '#lib/json-object';

/** A submitted field: its id, and its label and column at that time. */
export type SentField = { id: string; label: string; column: string; form: string };

/** A stored submission of a form. */
export type Submission = {
  id: number;
  block: string;
  created: Date;
  fields: SentField[];
  data: JsonObject;
};

/** Selects the submissions of one block of an object, or of all of its blocks for null. */
export type OfBlock = { content: number; block: string | null };

const COLUMNS = 'id, block, created, fields, data';

/** Adds a submission with the time of the database. */
export async function insertSubmission(
  db: Queryable,
  submission: { content: number; block: string; days: number | undefined; fields: SentField[]; data: JsonObject },
): Promise<void> {
  const { content, block, days = null, fields, data } = submission;
  await db.query({
    name: 'insert-form-submission',
    text: `insert into form_submission (content, block, created, days, fields, data)
      values ($1, $2, clock_timestamp(), $3, $4::jsonb, $5::jsonb)`,
    values: [content, block, days, JSON.stringify(fields), JSON.stringify(data)],
  });
}

/**
 * One batch of the submissions of a block, the newest first, with the number of all and of submissions older than `days`. `after` is the last id of
 * the batch before, for reading all of them.
 */
export async function listSubmissions(
  db: Queryable,
  { content, block }: OfBlock,
  { start, size, days }: { start: number; size: number; days: number | undefined },
): Promise<{ items: Submission[]; total: number; expired: number }> {
  const rows = await db.query<Omit<Submission, 'id'> & { id: number | null; total: number; expired: number }>({
    name: 'list-form-submissions',
    text: `with wanted as (
        select * from form_submission where content = $1 and ($2::text is null or block = $2)
      ), page as (select ${COLUMNS} from wanted order by id desc limit $3 offset $4)
      select counted.total, counted.expired, page.*
      from (select count(*) as total,
          count(*) filter (where created < now() - make_interval(secs => $5::float8 * 86400)) as expired from wanted) counted
        left join page on true order by page.id desc`,
    values: [content, block, size, start, days ?? null],
  });
  const items = rows.flatMap(({ total: _, expired: __, id, ...row }) => (id === null ? [] : [{ ...row, id }]));
  return { items, total: rows[0]?.total ?? 0, expired: rows[0]?.expired ?? 0 };
}

/** At most `size` submissions that are older than the submission with the id `before`, the newest first. */
export const submissionsBefore = (
  db: Queryable,
  { content, block }: OfBlock,
  { before, size }: { before: number; size: number },
): Promise<Submission[]> =>
  db.query<Submission>({
    name: 'form-submissions-before',
    text: `select ${COLUMNS} from form_submission
      where content = $1 and ($2::text is null or block = $2) and id < $3 order by id desc limit $4`,
    values: [content, block, before, size],
  });

/** The submitted fields, with their labels in the last submission, at most `max`. */
export const sentFields = (db: Queryable, { content, block }: OfBlock, max: number): Promise<SentField[]> =>
  db.query<SentField>({
    name: 'sent-form-fields',
    text: `select distinct on (f->>'id') f->>'id' as id, f->>'label' as label, f->>'column' as column, f->>'form' as form
      from form_submission, jsonb_array_elements(fields) f
      where content = $1 and ($2::text is null or block = $2) order by f->>'id', form_submission.id desc limit $3`,
    values: [content, block, max],
  });

/** One submission; undefined when the object has none with the id. */
export const findSubmission = (db: Queryable, content: number, id: number): Promise<Submission | undefined> =>
  firstRow<Submission>(db, {
    name: 'find-form-submission',
    text: `select ${COLUMNS} from form_submission where content = $1 and id = $2`,
    values: [content, id],
  });

/** True if submissions of a block are stored. The block may be gone. */
export const hasSubmissions = (db: Queryable, content: number, block: string): Promise<boolean> =>
  hasRows(db, {
    name: 'has-form-submissions',
    text: 'select 1 from form_submission where content = $1 and block = $2 limit 1',
    values: [content, block],
  });

/** Removes one submission of an object. Returns whether there was such a submission. */
export const deleteSubmission = (db: Queryable, content: number, id: number): Promise<boolean> =>
  hasRows(db, {
    name: 'delete-form-submission',
    text: 'delete from form_submission where content = $1 and id = $2 returning 1',
    values: [content, id],
  });

/** Removes the submissions of a block, or of all blocks of an object; with `days` only older ones. Returns their number. */
export async function deleteSubmissions(
  db: Queryable,
  { content, block }: OfBlock,
  days?: number | undefined,
): Promise<number> {
  const rows = await db.query<{ n: number }>({
    name: 'delete-form-submissions',
    text: `with gone as (
        delete from form_submission where content = $1 and ($2::text is null or block = $2)
          and ($3::float8 is null or created < now() - make_interval(secs => $3::float8 * 86400)) returning 1)
      select count(*)::int as n from gone`,
    values: [content, block, days ?? null],
  });
  return rows[0]?.n ?? 0;
}

/** A block with stored submissions, with the type and the blocks of its object, from which forms are parsed. */
export type KeptBlock = { content: number; block: string; type: string; blocks: unknown };

/** The blocks with stored submissions, after `after`, in the order of content and block. */
export const keptBlocks = (
  db: Queryable,
  after: { content: number; block: string },
  size: number,
): Promise<KeptBlock[]> =>
  db.query<KeptBlock>({
    name: 'kept-form-blocks',
    text: `select f.content, f.block, c.type, c.blocks
      from (select distinct content, block from form_submission where (content, block) > ($1, $2)
        order by content, block limit $3) f
      join content c on c.oid = f.content order by f.content, f.block`,
    values: [after.content, after.block, size],
  });

/** Removes submissions of a removed block that are older than its retention at the time of the submission. Returns their number. */
export async function deleteOutlived(db: Queryable, { content, block }: OfBlock): Promise<number> {
  const rows = await db.query<{ n: number }>({
    name: 'delete-outlived-form-submissions',
    text: `with gone as (
        delete from form_submission where content = $1 and block = $2 and days is not null
          and created < now() - make_interval(secs => days * 86400) returning 1)
      select count(*)::int as n from gone`,
    values: [content, block],
  });
  return rows[0]?.n ?? 0;
}
