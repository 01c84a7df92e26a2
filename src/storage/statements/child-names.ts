import type { Queryable } from '../database.ts';

/** Names of children that are `base` or `base` with a suffix: the candidates that a new name must avoid. */
export async function takenNames(db: Queryable, parent: number, base: string): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>({
    name: 'taken-names',
    text: `select name from content where parent = $1 and (name = $2 or starts_with(name, $2 || '-'))`,
    values: [parent, base],
  });
  return new Set(rows.map(({ name }) => name));
}
