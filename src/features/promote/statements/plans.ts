import { firstRow, type Queryable } from '#core';
import type { ConflictRule } from '../forms/plan.ts';

/** How a stored plan stands: parts may come, a job is to apply it, it was applied, or it was not possible. */
type PlanState = 'open' | 'waiting' | 'applied' | 'failed';

/** A stored plan without its entries. Texts are JSON. */
export type StoredPlan = {
  id: string;
  owner: string;
  created: Date;
  changed: Date;
  state: PlanState;
  setup: string;
  /** How many entries came. */
  entries: number;
  /** Bytes of entries and files. */
  bytes: number;
  rule: ConflictRule | null;
  onlyCheck: boolean | null;
  job: string | null;
  /** Says if the job waits or runs. */
  atWork: boolean;
  paths: string[] | null;
  report: string | null;
};

/** Has those who begin plans wait for each other until the transaction ends, so that their number is certain. */
export async function lockPlans(tx: Queryable): Promise<void> {
  await tx.query({ text: `select pg_advisory_xact_lock(hashtext('plan'))` });
}

/** Counts the plans of a user that wait for parts or for their job. */
export async function countUnfinished(db: Queryable, owner: string): Promise<number> {
  const row = await firstRow<{ count: number }>(db, {
    text: `select count(*)::int as count from plan where owner = $1 and state <> 'applied'`,
    values: [owner],
  });
  return row?.count ?? 0;
}

/** Stores a new plan without entries. */
export async function insertPlan(
  tx: Queryable,
  { id, owner, setup, bytes, now }: Pick<StoredPlan, 'id' | 'owner' | 'setup' | 'bytes'> & { now: Date },
): Promise<void> {
  await tx.query({
    text: `insert into plan (id, owner, created, changed, state, setup, bytes) values ($1::uuid, $2, $5, $5, 'open', $3, $4)`,
    values: [id, owner, setup, bytes, now],
  });
}

const COLUMNS = `id, owner, created, changed, state, setup, entries, bytes::float8 as bytes, rule, only_check as "onlyCheck", job, paths, report,
  exists (select from job j where j.id = plan.job and j.finished is null) as "atWork"`;

/** A plan; undefined without one of this id. `isLocked` locks it until the transaction ends. */
export const findPlan = (
  db: Queryable,
  id: string,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<StoredPlan | undefined> =>
  firstRow<StoredPlan>(db, {
    name: isLocked ? 'lock-plan' : 'find-plan',
    text: `select ${COLUMNS} from plan where id = $1::uuid ${isLocked ? 'for update' : ''}`,
    values: [id],
  });

/** Adds entries, as JSON, and files to a locked plan, behind the entries that it has. */
export async function addPart(
  tx: Queryable,
  { id, entries: from }: Pick<StoredPlan, 'id' | 'entries'>,
  {
    entries,
    files,
    bytes,
    now,
  }: { entries: readonly string[]; files: readonly { hash: string; size: number }[]; bytes: number; now: Date },
): Promise<void> {
  if (entries.length > 0)
    await tx.query({
      name: 'plan-add-entries',
      text: `insert into plan_entry (plan, number, entry)
        select $1::uuid, $2 + number::int - 1, entry from unnest($3::text[]) with ordinality as e(entry, number)`,
      values: [id, from, entries],
    });
  if (files.length > 0)
    await tx.query({
      name: 'plan-add-files',
      text: `insert into plan_file (plan, hash, size) select $1::uuid, f.hash, f.size
        from jsonb_to_recordset($2::jsonb) f(hash text, size bigint) on conflict do nothing`,
      values: [id, JSON.stringify(files)],
    });
  await tx.query({
    name: 'plan-note-part',
    text: `update plan set entries = entries + $2, bytes = bytes + $3, changed = $4, state = 'open', report = null where id = $1::uuid`,
    values: [id, entries.length, bytes, now],
  });
}

/** Entries of a plan by their numbers, as JSON. */
export const loadEntries = (
  db: Queryable,
  id: string,
  numbers: readonly number[],
): Promise<{ number: number; entry: string }[]> =>
  db.query({
    name: 'plan-entries',
    text: 'select number, entry from plan_entry where plan = $1::uuid and number = any($2) order by number',
    values: [id, numbers],
  });

/** The size of a file that came with a plan; undefined for a file that did not. */
export async function sizeOfFile(db: Queryable, id: string, hash: string): Promise<number | undefined> {
  const row = await firstRow<{ size: number }>(db, {
    name: 'plan-file',
    text: 'select size::float8 as size from plan_file where plan = $1::uuid and hash = $2',
    values: [id, hash],
  });
  return row?.size;
}

/** Notes the job that is to apply a locked plan. */
export async function markWaiting(
  tx: Queryable,
  id: string,
  {
    rule,
    onlyCheck,
    job,
    paths,
    now,
  }: { rule: ConflictRule; onlyCheck: boolean; job: string; paths: readonly string[] | null; now: Date },
): Promise<void> {
  await tx.query({
    text: `update plan set state = 'waiting', rule = $2, only_check = $3, job = $4::uuid, paths = $5::text[], changed = $6,
      report = null where id = $1::uuid`,
    values: [id, rule, onlyCheck, job, paths, now],
  });
}

/** Stores what became of a locked plan. Entries of one that was applied are of no use any more. */
export async function markDone(
  tx: Queryable,
  id: string,
  { state, report, now }: { state: 'open' | 'applied'; report: string; now: Date },
): Promise<void> {
  await tx.query({
    text: 'update plan set state = $2, report = $3, changed = $4 where id = $1::uuid',
    values: [id, state, report, now],
  });
  if (state !== 'applied') return;
  await tx.query({ text: 'delete from plan_entry where plan = $1::uuid', values: [id] });
  await tx.query({ text: 'delete from plan_file where plan = $1::uuid', values: [id] });
}

/** Notes why a plan that waits was not applied. */
export async function markFailed(
  db: Queryable,
  { id, job }: Pick<StoredPlan, 'id' | 'job'>,
  { report, now }: { report: string; now: Date },
): Promise<void> {
  await db.query({
    text: `update plan set state = 'failed', report = $3, changed = $4
      where id = $1::uuid and job is not distinct from $2::uuid and state = 'waiting'`,
    values: [id, job, report, now],
  });
}

/** Removes a plan with its entries. */
export async function deletePlan(tx: Queryable, id: string): Promise<void> {
  await tx.query({ text: 'delete from plan where id = $1::uuid', values: [id] });
}

/** Removes up to `limit` plans that nothing has happened to since `before`, unless a job is at work on them. Returns their number. */
export async function deleteOldPlans(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    text: `delete from plan where id in (select p.id from plan p where p.changed < $1
        and not (p.state = 'waiting' and exists (select from job j where j.id = p.job and j.finished is null))
        order by p.changed limit $2) returning 1`,
    values: [before, limit],
  });
  return rows.length;
}
