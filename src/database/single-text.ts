import type { Queryable } from './database.ts';

/** A table with one row: its name, the columns of the text and of the time at which it was stored, and the SQL of what is read. */
type SingleTextTable = { table: string; text: string; stored: string; columns: string };

/** A text of which the site has one, in a table whose only row has the key `single`. `Row` is what is read of it. */
export type SingleText<Row extends object> = {
  /** The stored text; undefined before the first was stored. */
  find(db: Queryable): Promise<Row | undefined>;
  /**
   * Locks the text until the end of the transaction, also before the first was stored: then it returns undefined, and the transaction has to store
   * one.
   */
  lock(tx: Queryable): Promise<Row | undefined>;
  /** Stores another text, with the present time. */
  store(tx: Queryable, text: string): Promise<void>;
};

/** The means to read and store the text of a table. */
export function singleText<Row extends object>({ table, text, stored, columns }: SingleTextTable): SingleText<Row> {
  return {
    async find(db) {
      const [row] = await db.query<Row>({
        name: `find-${table}`,
        reads: true,
        text: `select ${columns} from ${table}`,
      });
      return row;
    },
    async lock(tx) {
      // Without a row there is nothing to lock. The text is not empty once one was stored.
      const [row] = await tx.query<Row & { isNew: boolean }>({
        name: `lock-${table}`,
        text: `insert into ${table} as present (${text}, ${stored}) values ('', 'epoch')
          on conflict (single) do update set ${text} = present.${text} returning ${columns}, ${text} = '' as "isNew"`,
      });
      return row?.isNew ? undefined : row;
    },
    async store(tx, value) {
      await tx.query({
        name: `store-${table}`,
        text: `update ${table} set ${text} = $1, ${stored} = now()`,
        values: [value],
      });
    },
  };
}
