import type { Queryable } from '../../../database/database.ts';
import { MAX_LIST_BYTES, type StoredList } from '../warm-up/asked-list.ts';

const COLUMNS = `case when octet_length(list) <= ${MAX_LIST_BYTES} then list end as list,
  (extract(epoch from now() - written) * 1000)::float8 as "ageMs"`;

/** The list of the addresses that visitors ask for most; undefined before the first was stored. */
export async function findAskedList(db: Queryable): Promise<StoredList | undefined> {
  const [stored] = await db.query<StoredList>({
    name: 'find-asked-addresses',
    reads: true,
    text: `select ${COLUMNS} from asked_addresses`,
  });
  return stored;
}

/** Locks the list until the end of the transaction. Its text is empty when it is new. */
export async function lockAskedList(tx: Queryable): Promise<StoredList | undefined> {
  const [stored] = await tx.query<StoredList>({
    name: 'lock-asked-addresses',
    text: `insert into asked_addresses as a (list, written) values ('', now())
      on conflict (single) do update set list = a.list returning ${COLUMNS}`,
  });
  return stored;
}

export async function storeAskedList(tx: Queryable, list: string): Promise<void> {
  await tx.query({
    name: 'store-asked-addresses',
    text: 'update asked_addresses set list = $1, written = now()',
    values: [list],
  });
}
