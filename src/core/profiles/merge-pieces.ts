import type { ProfileRow } from '../configuration/profiles/profile-rows.ts';
import { keyOf } from '../configuration/profiles/profile-step.ts';
import {
  type Merged,
  mergeThreeWay,
  type ValueChange,
  type ValueConflict,
  type Versions,
} from '../configuration/profiles/three-way.ts';
import { KINDS } from '../configuration/site/site.ts';
import type { ConfigurationRow } from '../configuration/statements/configuration.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { tableOf } from './profile-tables.ts';

/** Changes and conflicts of one piece of configuration, with the file that it is from. */
export type PieceReport = {
  file: string;
  kind: string;
  id: string;
  /** The whole piece is new, or goes. */
  whole?: 'added' | 'removed';
  changes: readonly ValueChange[];
  conflicts: readonly (ValueConflict & { reason?: string })[];
};

/** A new version of the pieces of a profile. `base` are the installed pieces; undefined if unknown. */
export type ProfileChange = { base: readonly ProfileRow[] | undefined; wanted: readonly ProfileRow[] };

/** A piece of the configuration in a change from one version to another. */
export type Piece = {
  row: Pick<ProfileRow, 'kind' | 'id' | 'file' | 'position'>;
  /** As the site has it; undefined for none. */
  present: ConfigurationRow | undefined;
  versions: Versions;
  merged: Merged;
  conflicts: (ValueConflict & { reason?: string })[];
};

/** Pieces by their kinds and ids. */
export const byKey = <R extends { kind: string; id: string }>(rows: readonly R[]): Map<string, R> =>
  new Map(rows.map((row) => [keyOf(row), row]));

/** Files whose rows are the parts of one file: their keys begin with the id of the row. */
const isPart = ({ kind }: { kind: string }): boolean =>
  ![KINDS.type, KINDS.behavior, KINDS.workflow, KINDS.vocabulary].includes(kind);

const keyIn = (row: { kind: string; id: string }): string => (isPart(row) ? row.id : '');

/** The value of a piece in a file; with all keys for a piece that a table stores. */
function dataOf(kernel: Kernel, row: ProfileRow | undefined): unknown {
  const table = row && tableOf(kernel, row);
  return table ? table.complete(kernel, row.id, row.data) : row?.data;
}

/** All pieces of the installed and the wanted version, each with its outcome. */
export function mergePieces(
  kernel: Kernel,
  { base, wanted }: ProfileChange,
  present: ReadonlyMap<string, ConfigurationRow>,
): Piece[] {
  const installed = byKey(base ?? []);
  const next = byKey(wanted);
  const rows = [...wanted, ...(base ?? []).filter((row) => !next.has(keyOf(row)))];
  return rows.map((row): Piece => {
    const key = keyOf(row);
    const site = present.get(key);
    // A panel without any stored setting has no row.
    const none = row.kind === KINDS.setting ? {} : undefined;
    const versions = {
      base: dataOf(kernel, installed.get(key)) ?? (row.kind === KINDS.setting && base ? {} : undefined),
      site: site?.data ?? none,
      wanted: dataOf(kernel, next.get(key)) ?? none,
    };
    const merged = mergeThreeWay(versions, keyIn(row));
    return { row, present: site, versions, merged, conflicts: [...merged.conflicts] };
  });
}

/** Leaves a piece as on the site, and notes the reason. */
export function keep(piece: Piece, reason: string): void {
  piece.merged = { value: piece.present?.data, changes: [], conflicts: [] };
  piece.conflicts.push({ key: keyIn(piece.row), site: piece.present?.data, reason });
}

/** Merges a piece anew with a part that its new version must keep, and notes the reason. */
export function keepPart(piece: Piece, wanted: unknown, kept: { key: string; site: unknown; reason: string }): void {
  piece.versions = { ...piece.versions, wanted };
  piece.merged = mergeThreeWay(piece.versions, keyIn(piece.row));
  const own = piece.conflicts.filter(({ reason }) => reason !== undefined);
  piece.conflicts = [...own, ...piece.merged.conflicts, kept];
}

/** Says if a piece of the site is removed as a whole. */
export const isRemoved = ({ present, merged }: Piece): boolean => present !== undefined && merged.value === undefined;

/** Says if a piece changes. */
export const isChanged = ({ merged }: Piece): boolean => merged.changes.length > 0;

/** The configuration after the merge of these pieces. */
export function rowsAfter(
  kernel: Kernel,
  present: readonly ConfigurationRow[],
  pieces: readonly Piece[],
): ConfigurationRow[] {
  const rows = byKey(present);
  for (const { row, merged, present: site } of pieces) {
    if (tableOf(kernel, row)) continue;
    const { kind, id } = row;
    if (merged.value === undefined) rows.delete(keyOf(row));
    else if (merged.changes.length > 0)
      rows.set(keyOf(row), { kind, id, position: site?.position ?? row.position, data: merged.value });
  }
  return [...rows.values()];
}
