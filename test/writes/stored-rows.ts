import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../src/database/database.ts';

/** Tables that background work and rejected requests write to as well, and that of the test, each with the reason. */
export const PASSED_OVER = new Map([
  ['account_login', 'the time of the last login is noted once in a while'],
  ['content_feed', 'the feed of changes notes its own progress'],
  ['login_failure', 'rejected logins are counted'],
  ['noted_row', 'it belongs to the test'],
  ['queue_item', 'mails that wait are tried meanwhile; new rows are looked for'],
  ['visitor_request', 'requests of visitors are counted'],
]);

/** The stored data of a site, in digests. */
export type StoredRows = {
  /** A digest of every row of every table. */
  digests(): Promise<Map<string, string>>;
  /** The numbers of queued work, with its kind. */
  queued(): Promise<Map<number, string>>;
  /** A digest of every file of the data directory, the embedded database apart. */
  files(): Promise<string>;
};

/** The columns of a row that count. Events of content get their place in the feed after the commit. */
const columnsOf = (table: string): string => (table === 'content_event' ? `to_jsonb(t) - 'position'` : 't');

/** The stored data of a site. */
export async function storedRows(db: Database, dataDir: string): Promise<StoredRows> {
  const tables = await db.query<{ name: string }>({
    text: 'select tablename as name from pg_tables where schemaname = current_schema() and tablename <> all($1) order by 1',
    values: [[...PASSED_OVER.keys()]],
  });
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(md5((${columnsOf(name)})::text), '' order by md5((${columnsOf(name)})::text)), '')) as rows from ${name} t`,
  );
  const whole = { text: parts.join(' union all '), reads: true };
  return {
    async digests() {
      return new Map((await db.query<{ name: string; rows: string }>(whole)).map(({ name, rows }) => [name, rows]));
    },
    async queued() {
      const rows = await db.query<{ id: number; kind: string }>({ text: 'select id, kind from queue_item' });
      return new Map(rows.map(({ id, kind }) => [id, kind]));
    },
    async files() {
      const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      const own = paths.filter((path) => !path.startsWith(join(dataDir, 'pgdata'))).sort();
      const digest = async (path: string) =>
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex');
      return JSON.stringify(await Promise.all(own.map(async (path) => [path, await digest(path)])));
    },
  };
}

/** The names of the tables whose digests differ. */
export const differing = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...after].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name);
