import type { Queryable } from '../database.ts';

/**
 * Lets nobody else change the configuration before the transaction ends. Answers its version: what is read at it stays as
 * it is. For changes that depend on what is there; those of content hold their way first.
 */
export async function lockConfiguration(tx: Queryable): Promise<string> {
  const [state] = await tx.query<{ value: string }>({
    name: 'hold-configuration',
    text: `select value from site_state where name = 'configuration' for update`,
  });
  if (!state) throw new Error('The site has no configuration');
  return state.value;
}

/** Removes pieces of the configuration. Whoever calls it raises the version with `writeConfiguration`. */
export async function removeConfiguration(tx: Queryable, rows: { kind: string; id: string }[]): Promise<void> {
  await tx.query({
    name: 'remove-configuration',
    text: `delete from configuration c using unnest($1::text[], $2::text[]) gone(kind, id)
      where c.kind = gone.kind and c.id = gone.id`,
    values: [rows.map(({ kind }) => kind), rows.map(({ id }) => id)],
  });
}
