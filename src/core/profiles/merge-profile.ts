import type { Transaction } from '../../database/database.ts';
import { BadRequest, ValidationFailed } from '../../lib/errors.ts';
import { settingRows } from '../configuration/panels/panel-change.ts';
import type { ProfileRow } from '../configuration/profiles/profile-rows.ts';
import { keyOf } from '../configuration/profiles/profile-step.ts';
import { buildSite } from '../configuration/site/build-site.ts';
import { missingPart, unknownVocabulary } from '../configuration/site/check-configuration.ts';
import { KINDS, type Site } from '../configuration/site/site.ts';
import {
  type ConfigurationRow,
  loadConfiguration,
  removeConfiguration,
  writeConfiguration,
} from '../configuration/statements/configuration.ts';
import { typesInUse } from '../content/statements/type-use.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { TableChange } from '../kernel/profile-table.ts';
import { keepUsed } from './keep-used.ts';
import { hiddenLine, hiddenValues, keepFields, keepTerms, stateLines } from './keep-values.ts';
import {
  byKey,
  isChanged,
  isRemoved,
  mergePieces,
  type Piece,
  type PieceReport,
  type ProfileChange,
  rowsAfter,
} from './merge-pieces.ts';
import { loadTableRows, removeTableRows, tableOf, writeTableRows } from './profile-tables.ts';
import { type StoredType, withRetiredFields } from './retired-fields.ts';

/** Takes back changes of settings that the rules of their panels forbid together with the settings of the site. */
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

/** Stores the kinds of removed fields in their types. Throws ValidationFailed for a field of another kind. */
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

/** Writes the pieces that tables store. A piece that cannot be written stays as on the site, with the reason. */
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
    // A panel is never added or removed as a whole: each of its values is a change.
    ...(whole && row.kind !== KINDS.setting && { whole }),
    changes: merged.changes,
    conflicts,
  };
};

/** The outcome of a merge, and the site before and after it. */
export type ProfileMerge = {
  pieces: PieceReport[];
  /** Lines about values of content that are hidden, lose a title or get another state. */
  losses: string[];
  /** The version that the site has reached: the new version, with all pieces that could not be removed yet. */
  reached: ProfileRow[];
  before: Site;
  after: Site;
};

/** The wanted rows, and the rows that stay for a reason instead of being removed, so that a later upgrade removes them. */
function reachedBy(pieces: readonly Piece[], wanted: readonly ProfileRow[]): ProfileRow[] {
  const asked = byKey(wanted);
  return pieces.flatMap(({ row, versions, conflicts }) => {
    if (asked.has(keyOf(row))) return [{ ...row, data: versions.wanted }];
    const isKept = versions.base !== undefined && conflicts.some(({ reason }) => reason !== undefined);
    return isKept ? [{ ...row, data: versions.base }] : [];
  });
}

/**
 * Brings the configuration of the site, and the pieces in tables, from one version of a profile to another, in a transaction that has locked the
 * configuration. The site's own changes stay, and are in the report, as do fields and terms with values in content, unless the change `hides` them.
 * Throws BadRequest and ValidationFailed when the changed site could not be built.
 */
export async function mergeProfile(
  kernel: Kernel,
  tx: Transaction,
  change: ProfileChange & { hides?: boolean },
): Promise<ProfileMerge> {
  const { version, rows } = await loadConfiguration(tx);
  const before = buildSite(version, rows, kernel);
  const kept = await loadTableRows(kernel, tx, [...(change.base ?? []), ...change.wanted]);
  const pieces = mergePieces(kernel, change, byKey([...rows, ...kept]));
  const siteAfter = (): Site => buildSite(version, rowsAfter(kernel, rows, pieces), kernel);
  const hides = change.hides ?? false;
  const losses = await keepTerms(tx, { before, hides }, pieces);
  while (await keepUsed(kernel, tx, pieces, siteAfter()));
  if (!hides) await keepFields(tx, { before, after: siteAfter() }, pieces);
  // A kept field or type may need other pieces that would be removed.
  while (await keepUsed(kernel, tx, pieces, siteAfter()));
  keepImpossibleSettings(kernel, before, siteAfter(), pieces);
  const next = rowsAfter(kernel, rows, pieces);
  const built = buildSite(version, next, kernel);
  losses.unshift(...(await hiddenValues(tx, before, built)).map(hiddenLine));
  losses.push(...(await stateLines(tx, before, built)));
  const retired = byKey(await retireFields({ kernel, tx, site: before }, next, built));
  const known = byKey(rows);
  const written = next.map((row) => retired.get(keyOf(row)) ?? row).filter((row) => row !== known.get(keyOf(row)));
  for (const row of written) {
    const problem = missingPart(built, row, before) ?? unknownVocabulary(before, built, row);
    if (problem !== undefined) throw new BadRequest(problem);
  }
  const removed = pieces.filter((piece) => isRemoved(piece) && !tableOf(kernel, piece.row)).map(({ row }) => row);
  if (removed.length > 0) await removeConfiguration(tx, removed);
  if (written.length + removed.length > 0) await writeConfiguration(tx, written);
  await writeTables({ kernel, tx, site: built }, pieces);
  const pending = pieces.filter((piece) => isChanged(piece) || piece.conflicts.length > 0);
  const reached = reachedBy(pieces, change.wanted);
  return { pieces: pending.map(reportOf), losses, reached, before, after: built };
}
