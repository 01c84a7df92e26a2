import type { Kernel } from '../kernel/kernel.ts';
import type { TableChange } from '../kernel/profile-tables.ts';
import { BadRequest, ValidationFailed } from '../lib/errors.ts';
import { buildSite } from '../site/build-site.ts';
import { missingPart, typeWith } from '../site/check-configuration.ts';
import { settingRows } from '../site/panel-change.ts';
import type { ProfileRow } from '../site/profile-rows.ts';
import { KINDS, type Site } from '../site/site.ts';
import { type Merged, mergeThreeWay, type ValueChange, type ValueConflict } from '../site/three-way.ts';
import type { Transaction } from '../storage/database.ts';
import {
  type ConfigurationRow,
  loadConfiguration,
  removeConfiguration,
  writeConfiguration,
} from '../storage/statements/configuration.ts';
import { typesInUse } from '../storage/statements/type-use.ts';
import { loadTableRows, removeTableRows, tableOf, writeTableRows } from './profile-tables.ts';
import { type StoredType, withRetiredFields } from './retired-fields.ts';

/** Changes and conflicts of one piece of configuration, with the file that it is from. */
export type PieceReport = {
  file: string;
  kind: string;
  id: string;
  /** Whether the whole piece is new, or goes. */
  whole?: 'added' | 'removed';
  changes: readonly ValueChange[];
  conflicts: readonly (ValueConflict & { reason?: string })[];
};

/** A new version of what a profile brings. `base` is what was installed; undefined where nobody knows. */
export type ProfileChange = { base: readonly ProfileRow[] | undefined; wanted: readonly ProfileRow[] };

type Piece = {
  row: Pick<ProfileRow, 'kind' | 'id' | 'file' | 'position'>;
  /** As the site has it; undefined for none. */
  present: ConfigurationRow | undefined;
  merged: Merged;
  conflicts: (ValueConflict & { reason?: string })[];
};

const keyOf = ({ kind, id }: { kind: string; id: string }): string => `${kind} ${id}`;
const byKey = <R extends { kind: string; id: string }>(rows: readonly R[]): Map<string, R> =>
  new Map(rows.map((row) => [keyOf(row), row]));

/** Files whose rows are the parts of one file: their keys begin with the id of the row. */
const isPart = ({ kind }: { kind: string }): boolean =>
  ![KINDS.type, KINDS.behavior, KINDS.workflow, KINDS.vocabulary].includes(kind);

/** The value of a piece in a file; of one that a table keeps with all of its keys. */
function dataOf(kernel: Kernel, row: ProfileRow | undefined): unknown {
  const table = row && tableOf(kernel, row);
  return table ? table.complete(kernel, row.id, row.data) : row?.data;
}

/** All pieces that were installed or are wanted, each with what becomes of it. */
function mergePieces(
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
    // A panel has no row where nothing was ever set in it.
    const none = row.kind === KINDS.setting ? {} : undefined;
    const versions = {
      base: dataOf(kernel, installed.get(key)) ?? (row.kind === KINDS.setting && base ? {} : undefined),
      site: site?.data ?? none,
      wanted: dataOf(kernel, next.get(key)) ?? none,
    };
    const merged = mergeThreeWay(versions, isPart(row) ? row.id : '');
    return { row, present: site, merged, conflicts: [...merged.conflicts] };
  });
}

/** Leaves a piece as the site has it, and says why. */
function keep(piece: Piece, reason: string): void {
  piece.merged = { value: piece.present?.data, changes: [], conflicts: [] };
  piece.conflicts.push({ key: isPart(piece.row) ? piece.row.id : '', site: piece.present?.data, reason });
}

const isRemoved = ({ present, merged }: Piece): boolean => present !== undefined && merged.value === undefined;
const isChanged = ({ merged }: Piece): boolean => merged.changes.length > 0;

/** Keeps what is to go and still in use: types with content, behaviors and workflows of types, groups with members. */
async function keepUsed(kernel: Kernel, tx: Transaction, pieces: readonly Piece[], site: Site): Promise<void> {
  const removed = pieces.filter(isRemoved);
  const ids = (kind: string) => removed.filter(({ row }) => row.kind === kind).map(({ row }) => row.id);
  const types = ids(KINDS.type);
  const used = new Map(
    types.length === 0 ? [] : (await typesInUse(tx, types)).map((use) => [use.type, use.content + use.recycled]),
  );
  for (const piece of removed) {
    const { kind, id } = piece.row;
    const count = kind === KINDS.type ? used.get(id) : undefined;
    if (count !== undefined) keep(piece, `it stays, because there is content of this type: ${count}`);
  }
  for (const kind of new Set(removed.map(({ row }) => row.kind))) {
    const uses = await tableOf(kernel, { kind })?.uses(tx, ids(kind));
    for (const piece of removed) {
      const use = piece.row.kind === kind ? uses?.get(piece.row.id) : undefined;
      if (use !== undefined) keep(piece, `it stays, because ${use}`);
    }
  }
  const goes = (type: string) =>
    removed.some((piece) => piece.row.kind === KINDS.type && piece.row.id === type && isRemoved(piece));
  for (const piece of removed) {
    const type = typeWith(site, piece.row, goes);
    if (type !== undefined) keep(piece, `it stays, because the content type "${type}" has it`);
  }
}

/** The configuration with these pieces as they are to be. */
function rowsAfter(kernel: Kernel, present: readonly ConfigurationRow[], pieces: readonly Piece[]): ConfigurationRow[] {
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

/** Takes back changes of settings that the rules of their panels do not allow with what the site has set. */
function keepImpossibleSettings(kernel: Kernel, before: Site, after: Site, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    if (piece.row.kind !== KINDS.setting || !isChanged(piece)) continue;
    const panel = kernel.panels.get(piece.row.id);
    const values = { ...(piece.merged.value as Record<string, unknown>) };
    const stored = before.settings.get(piece.row.id) ?? {};
    const changes = (panel?.settings ?? [])
      .filter(({ name }) => values[name] !== undefined)
      .flatMap((setting) => (panel ? [{ panel, setting, value: values[setting.name] }] : []));
    try {
      const editor = { requirePermission() {}, nameOf: (_: unknown, name: string) => name };
      settingRows(kernel, { ...after, settings: before.settings }, { changes, problems: [] }, editor);
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      for (const { field = '', message } of error.problems) {
        const key = `${piece.row.id}.${field}`;
        const mine = piece.merged.changes.filter((change) => change.key === key || change.key.startsWith(`${key}.`));
        if (mine.length === 0) continue;
        piece.conflicts.push({ key, site: stored[field], wanted: values[field], reason: message });
        piece.merged.changes = piece.merged.changes.filter((change) => !mine.includes(change));
        if (stored[field] === undefined) delete values[field];
        else values[field] = stored[field];
      }
      piece.merged.value = values;
    }
  }
}

/** Types whose fields go remember of which kinds those were. Throws ValidationFailed for a field of another kind. */
async function retireFields(
  change: { kernel: Kernel; tx: Transaction; site: Site },
  rows: readonly ConfigurationRow[],
  built: Site,
): Promise<ConfigurationRow[]> {
  const retired: ConfigurationRow[] = [];
  for (const row of rows) {
    const before = row.kind === KINDS.type ? change.site.types.get(row.id) : undefined;
    if (!before) continue;
    const after = built.types.get(row.id)?.fieldByName;
    const other = before.fields.find((field) => {
      const next = after?.get(field.name);
      return next !== undefined && !change.kernel.fieldKinds.agree(next, field);
    });
    if (other && (await typesInUse(change.tx, [row.id])).length > 0)
      throw new BadRequest(
        `The field "${other.name}" of the content type "${row.id}" cannot become another kind of field while there is content. Give the new field another name.`,
      );
    const gone = before.fields.some(({ name }) => after?.has(name) !== true);
    const data = gone ? await withRetiredFields(change, row.data as StoredType, built) : row.data;
    if (data !== row.data) retired.push({ ...row, data });
  }
  return retired;
}

/** Writes the pieces that tables keep. What could not be written stays as the site has it, with the reason. */
async function writeTables(change: TableChange, pieces: readonly Piece[]): Promise<void> {
  const changed = pieces.filter((piece) => isChanged(piece) && tableOf(change.kernel, piece.row));
  await removeTableRows(
    change,
    changed.filter(isRemoved).map(({ row }) => row),
  );
  const written = changed
    .filter(({ merged }) => merged.value !== undefined)
    .map(({ row, merged }) => ({ ...row, data: merged.value }));
  for (const { kind, id, key, reason } of await writeTableRows(change, written)) {
    const piece = changed.find(({ row }) => row.kind === kind && row.id === id);
    if (!piece) continue;
    const mine = piece.merged.changes.find((one) => one.key === `${id}.${key}`);
    piece.merged.changes = piece.merged.changes.filter((one) => one !== mine);
    piece.conflicts.push({ key: `${id}.${key}`, site: undefined, wanted: mine?.to, reason });
  }
}

const reportOf = (piece: Piece): PieceReport => {
  const { row, merged, conflicts, present } = piece;
  const whole = isRemoved(piece) ? 'removed' : present === undefined ? 'added' : undefined;
  return {
    ...{ file: row.file, kind: row.kind, id: row.id },
    // Panels have no life of their own: each of their values is a change.
    ...(whole && row.kind !== KINDS.setting && { whole }),
    changes: merged.changes,
    conflicts,
  };
};

/** What a merge has done, and the site before and after it. */
export type ProfileMerge = { pieces: PieceReport[]; before: Site; after: Site };

/**
 * Brings the configuration of the site, and what tables keep of it, from one version of what a profile brings to another, in a transaction
 * that has locked the configuration. What the site has changed by itself stays, and is in the report. Throws BadRequest and
 * ValidationFailed when the site could not be built then.
 */
export async function mergeProfile(kernel: Kernel, tx: Transaction, change: ProfileChange): Promise<ProfileMerge> {
  const { version, rows } = await loadConfiguration(tx);
  const before = buildSite(version, rows, kernel);
  const kept = await loadTableRows(kernel, tx, [...(change.base ?? []), ...change.wanted]);
  const pieces = mergePieces(kernel, change, byKey([...rows, ...kept]));
  await keepUsed(kernel, tx, pieces, buildSite(version, rowsAfter(kernel, rows, pieces), kernel));
  keepImpossibleSettings(kernel, before, buildSite(version, rowsAfter(kernel, rows, pieces), kernel), pieces);
  const next = rowsAfter(kernel, rows, pieces);
  const built = buildSite(version, next, kernel);
  const retired = byKey(await retireFields({ kernel, tx, site: before }, next, built));
  const known = byKey(rows);
  const written = next.map((row) => retired.get(keyOf(row)) ?? row).filter((row) => row !== known.get(keyOf(row)));
  for (const row of written) {
    const problem = missingPart(built, row);
    if (problem !== undefined) throw new BadRequest(problem);
  }
  const removed = pieces.filter((piece) => isRemoved(piece) && !tableOf(kernel, piece.row)).map(({ row }) => row);
  if (removed.length > 0) await removeConfiguration(tx, removed);
  if (written.length + removed.length > 0) await writeConfiguration(tx, written);
  await writeTables({ kernel, tx, site: built }, pieces);
  const pending = pieces.filter((piece) => isChanged(piece) || piece.conflicts.length > 0);
  return { pieces: pending.map(reportOf), before, after: built };
}
