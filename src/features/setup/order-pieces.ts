import { isDeepStrictEqual } from 'node:util';
import { configuration, type Transaction } from '#core';

/** Kinds whose files are lists in the order of the site. */
const LISTED: readonly string[] = [configuration.KINDS.role, configuration.KINDS.loginProvider];

/**
 * Brings pieces of the site into the order of a folder; pieces that the folder lacks come last. `ordered` are the kinds that the folder gives an
 * order. Returns a line for each kind that changes.
 */
export async function orderPieces(
  tx: Transaction,
  { wanted, ordered }: { wanted: readonly configuration.Row[]; ordered: readonly string[] },
): Promise<string[]> {
  const { rows } = await configuration.load(tx);
  const lines: string[] = [];
  for (const kind of [...ordered, ...LISTED]) {
    const present = rows.filter((row) => row.kind === kind);
    const byId = new Map(present.map((row) => [row.id, row]));
    const named = wanted.filter((row) => row.kind === kind).sort((a, b) => a.position - b.position);
    const first = named.flatMap(({ id }) => byId.get(id) ?? []);
    const next = [...first, ...present.filter((row) => !first.includes(row))];
    if (isDeepStrictEqual(next, present)) continue;
    await configuration.write(
      tx,
      next.map((row, position) => ({ ...row, position })),
    );
    lines.push(`Changed the order: ${kind}.`);
  }
  return lines;
}
