import type { Queryable } from '../../../database/database.ts';

/** Loads the secret with this id; stores `made` if it does not exist. Of two concurrent processes, both get the secret stored first. */
export async function loadSecretKey(db: Queryable, id: string, made: string): Promise<string> {
  const load = async () =>
    (
      await db.query<{ secret: string }>({
        text: 'select secret from secret_key where id = $1',
        values: [id],
        reads: true,
      })
    )[0];
  const known = await load();
  if (known) return known.secret;
  await db.query({
    text: 'insert into secret_key (id, secret) values ($1, $2) on conflict (id) do nothing',
    values: [id, made],
    reads: false,
  });
  const kept = await load();
  if (!kept) throw new Error('The database did not keep a key');
  return kept.secret;
}
