import { isDeepStrictEqual } from 'node:util';
import { type Caller, configuration, type Kernel, profiles, type SiteChange, sitePieces } from '#core';
import { BadRequest } from '#lib/errors';
import { isJsonObject } from '#lib/json-object';
import { lockPeople } from '../people/statements/principals.ts';
import { followChange } from '../upgrades/follow-up.ts';

/** The state that a change of the set-up works with: the site before the change, and the rows that it is made of. */
export type SetupChange = profiles.Change & { rows: readonly configuration.Row[] };

/** A piece of the configuration by its kind and id. */
type Piece = { kind: string; id: string };

/** A change of the set-up: rows in their new form, pieces to remove, and further work once the rows are written. */
export type SetupRows = {
  write?: readonly configuration.Row[];
  remove?: readonly Piece[];
  /** Runs in the transaction once the rows are written, before content follows. */
  afterwards?(): Promise<void>;
  /** Changes outside of the rows, for the audit log. */
  also?: readonly SiteChange[];
  /** True if content moves to other states, so that the viewers of all content are computed again. */
  movesContent?: boolean;
};

const isPiece =
  ({ kind, id }: Piece) =>
  (row: Piece): boolean =>
    row.kind === kind && row.id === id;

/** The position of a new row: after all others of its kind. */
export const nextPosition = ({ rows }: Pick<SetupChange, 'rows'>, kind: string): number =>
  Math.max(-1, ...rows.filter((row) => row.kind === kind).map(({ position }) => position)) + 1;

/** A row with new data: at its old place, or, if it is new, after the others of its kind. */
export const rowWith = (change: Pick<SetupChange, 'rows'>, piece: Piece, data: unknown): configuration.Row => ({
  ...piece,
  position: change.rows.find(isPiece(piece))?.position ?? nextPosition(change, piece.kind),
  data,
});

/** Lists the changes of each piece: the names of the differing members at its top level. */
function setupChanges(
  rows: readonly configuration.Row[],
  written: readonly configuration.Row[],
  removed: readonly Piece[],
): SiteChange[] {
  const edits = written.map((row) => {
    const before = rows.find(isPiece(row));
    const part = { part: row.kind, id: row.id };
    return before
      ? { ...part, change: 'edited', names: differing(before.data, row.data) }
      : { ...part, change: 'created' };
  });
  return [...edits, ...removed.map(({ kind, id }) => ({ part: kind, id, change: 'removed' }))];
}

/** The keys at which two values differ; none if one of them is no object. */
function differing(one: unknown, other: unknown): string[] {
  if (!isJsonObject(one) || !isJsonObject(other)) return [];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !isDeepStrictEqual(one[name], other[name]),
  );
}

/** The configuration after a change of these rows. */
function rowsAfter(
  rows: readonly configuration.Row[],
  written: readonly configuration.Row[],
  removed: readonly Piece[],
): configuration.Row[] {
  const others = rows.filter((row) => ![...written, ...removed].some(isPiece(row)));
  return [...others, ...written].sort((a, b) => a.position - b.position);
}

/**
 * Changes the set-up of the site with all consequences in one transaction, which locks content and configuration. Other processes see the change with
 * their next request; the viewers of content are updated at once, its catalog by a job. `people` locks users and groups, too. Throws Unauthorized,
 * Forbidden, and BadRequest for an impossible set-up.
 */
export async function changeSetup(
  kernel: Kernel,
  { caller, people = false }: { caller: Caller; people?: boolean },
  work: (change: SetupChange) => SetupRows | Promise<SetupRows>,
): Promise<void> {
  await profiles.changeConfiguration(kernel, { caller, ...(people && { lock: lockPeople }) }, async (change) => {
    const { tx, site } = change;
    const { version, rows } = await configuration.load(tx);
    const { write = [], remove = [], afterwards, also = [], movesContent = false } = await work({ ...change, rows });
    const written = write.filter((row) => {
      const known = rows.find(isPiece(row));
      return !known || known.position !== row.position || !isDeepStrictEqual(known.data, row.data);
    });
    if (written.length + remove.length + also.length === 0) return;
    const after = configuration.build(version, rowsAfter(rows, written, remove), kernel);
    for (const row of written) {
      const problem = sitePieces.missingPart(after, row, site);
      if (problem !== undefined) throw new BadRequest(problem);
    }
    if (remove.length > 0) await configuration.remove(tx, [...remove]);
    await configuration.write(tx, written);
    await afterwards?.();
    for (const done of [...setupChanges(rows, written, remove), ...also])
      await kernel.events.emit('site.changed', done, { tx, caller });
    await followChange(kernel, tx, { before: site, after, caller, movesContent });
  });
}
