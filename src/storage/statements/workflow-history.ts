import type { Queryable } from '../database.ts';

/** One entry of an object's workflow history. `action` is null for the creation. */
export type HistoryEntry = {
  workflow: string;
  action: string | null;
  actor: string;
  comments: string;
  reviewState: string;
  at: Date;
};

/** Adds an entry to the workflow history of an object. */
export async function addHistory(db: Queryable, entry: HistoryEntry & { content: number }): Promise<void> {
  await db.query({
    name: 'add-history',
    text: 'insert into workflow_history (content, workflow, action, actor, comments, review_state, at) values ($1, $2, $3, $4, $5, $6, $7)',
    values: [entry.content, entry.workflow, entry.action, entry.actor, entry.comments, entry.reviewState, entry.at],
  });
}

/** The workflow history of an object, oldest first. */
export const readHistory = (db: Queryable, content: number): Promise<HistoryEntry[]> =>
  db.query<HistoryEntry>({
    name: 'read-history',
    text: `select workflow, action, actor, comments, review_state as "reviewState", at from workflow_history where content = $1 order by id`,
    values: [content],
  });
