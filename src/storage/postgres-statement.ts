import type pg from 'pg';
import type { Statement } from './database.ts';
import { encodeParameter } from './parameters.ts';

/** Runs one statement on a connection; a name makes it a prepared statement of that connection. Throws what the driver throws. */
export async function runStatement<R extends object>(client: pg.ClientBase, statement: Statement): Promise<R[]> {
  const config = {
    text: statement.text,
    values: (statement.values ?? []).map(encodeParameter),
    // Without values the driver would use the simple protocol, which takes several statements in one text.
    queryMode: 'extended',
    ...(statement.name === undefined ? {} : { name: statement.name }),
  };
  return (await client.query<R>(config)).rows;
}
