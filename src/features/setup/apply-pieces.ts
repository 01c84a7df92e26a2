import {
  type Caller,
  configuration,
  type Kernel,
  profiles,
  profileTables,
  requireUniqueSite,
  type Site,
  type Transaction,
} from '#core';
import { BadRequest } from '#lib/errors';
import { isJsonObject, type JsonObject, omit } from '#lib/json-object';
import { lockPeople } from '../people/statements/principals.ts';
import { followChange } from '../upgrades/follow-up.ts';

/** A piece of the set-up before a change and after it. A missing member means that the site does not have the piece on that side. */
export type PieceChange = {
  kind: string;
  id: string;
  /** The file of a profile for such pieces. */
  file: string;
  position: number;
  from?: unknown;
  to?: unknown;
};

/** The result of a change of pieces: lines for people, the number of values of the site that stay, and the details with all values. */
export type PiecesReport = { lines: string[]; kept: number; details: JsonObject };

const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;

/** The rows of one side of a change. */
const sideOf = (pieces: readonly PieceChange[], side: 'from' | 'to') =>
  pieces.flatMap((piece) => {
    const { kind, id, file, position } = piece;
    return Object.hasOwn(piece, side) ? [{ kind, id, file, position, data: piece[side] }] : [];
  });

/** The present pieces of the site as one side of a change, so that the change replaces them; of settings only those that the change names. */
async function presentSide(kernel: Kernel, tx: Transaction, pieces: readonly PieceChange[]) {
  const named = new Map(pieces.map((piece) => [keyOf(piece), piece]));
  const { rows } = await configuration.load(tx);
  return [...rows, ...(await profileTables.loadTableRows(kernel, tx, sideOf(pieces, 'to')))].flatMap((row) => {
    const piece = named.get(keyOf(row));
    if (!piece) return [];
    const isNamed = (name: string) =>
      [piece.from, piece.to].some((side) => isJsonObject(side) && Object.hasOwn(side, name));
    const isSetting = row.kind === configuration.KINDS.setting;
    const data = isSetting && isJsonObject(row.data) ? omit(row.data, (name) => !isNamed(name)) : row.data;
    return [{ ...row, data, file: piece.file }];
  });
}

/** Throws BadRequest for pieces that would be invalid in a profile. */
function requirePieces(pieces: readonly PieceChange[]): void {
  const kinds = new Set(Object.values(profiles.PIECE_KINDS));
  const unknown = pieces.find(({ kind }) => !kinds.has(kind));
  if (unknown) throw new BadRequest(`The set-up has no pieces of the kind "${unknown.kind.slice(0, 100)}".`);
  try {
    profiles.requireRows(sideOf(pieces, 'to'));
  } catch (error) {
    if (!(error instanceof profiles.ProfileBroken)) throw error;
    throw new BadRequest(error.message);
  }
}

/**
 * Applies changes to the set-up of the site, in one transaction: each value that differs between the two sides of the change is written, unless the
 * site has changed it by itself, or content has values of it. With `takes` the change takes precedence over the site. Content is updated;
 * `moveContent` brings it to other states before, and returns whether it has. Throws Unauthorized, Forbidden, BadRequest and ValidationFailed when
 * the site could not be built.
 */
export async function applyPieces(
  kernel: Kernel,
  {
    pieces,
    takes,
    caller,
    moveContent,
  }: {
    pieces: readonly PieceChange[];
    takes: boolean;
    caller: Caller;
    moveContent?: (change: { tx: Transaction; before: Site; after: Site }) => Promise<boolean>;
  },
): Promise<PiecesReport> {
  requirePieces(pieces);
  const lock = async (tx: Transaction): Promise<void> => {
    await configuration.lockSetup(tx);
    await lockPeople(tx);
  };
  return profiles.changeConfiguration(kernel, { caller, lock }, async ({ tx }) => {
    const base = takes ? await presentSide(kernel, tx, pieces) : sideOf(pieces, 'from');
    const merge = await profiles.mergeProfile(kernel, tx, { base, wanted: sideOf(pieces, 'to') });
    const { before, after, losses } = merge;
    const kept = merge.pieces.reduce((count, { conflicts }) => count + conflicts.length, 0);
    const lines = profiles.reportLines(kernel, merge);
    await requireUniqueSite(tx, { before, after, caller });
    const movesContent = (await moveContent?.({ tx, before, after })) ?? false;
    lines.push(...(await followChange(kernel, tx, { before, after, caller, movesContent })));
    const names = merge.pieces.filter(({ changes }) => changes.length > 0).map(keyOf);
    if (names.length > 0)
      await kernel.events.emit(
        'site.changed',
        { part: 'set-up', id: '', change: 'imported', names, ...(losses.length > 0 && { hidden: losses }) },
        { tx, caller },
      );
    return { lines, kept, details: profiles.reportJson(kernel, merge) };
  });
}
