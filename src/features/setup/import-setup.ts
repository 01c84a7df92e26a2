import {
  byKey,
  type Caller,
  type ConfigurationRow,
  fileEntries,
  followUpOf,
  type Kernel,
  KINDS,
  keyOf,
  kindsIn,
  loadConfiguration,
  loadFiles,
  loadImportedSetup,
  loadInstalledProfile,
  loadTableRows,
  locateForWrite,
  lockConfiguration,
  lockSetup,
  mergeProfile,
  type ProfileRow,
  profileOrder,
  ROOT,
  rehearse,
  reportJson,
  reportLines,
  requireKnownSettings,
  requireProfileRows,
  requireUniqueSite,
  type Transaction,
  writeImportedSetup,
} from '#core';
import { isJsonObject, type JsonObject, omit } from '#lib/json-object';
import { lockPeople } from '../people/statements/principals.ts';
import { followUp } from '../upgrades/follow-up.ts';
import { orderPieces } from './order-pieces.ts';

/** The result of an import. */
export type SetupReport = {
  /** A line for each change, and for each value that stays as the site has it. */
  lines: string[];
  /** The number of values of the site that stay although the folder has others. */
  kept: number;
  /** The changes with their values whole. */
  details: JsonObject;
};

export type SetupImport = {
  /** The folder of a profile, as `canopy setup export` writes it. */
  folder: string;
  dryRun: boolean;
  /** True if the set-up replaces changes that were made on the site, and values of content. */
  overwrite: boolean;
  caller: Caller;
};

/** The rows of a folder, and the kinds that it covers. */
type Folder = { wanted: readonly ProfileRow[]; kinds: ReadonlySet<string> };

/** The data of a piece. Of the settings of a panel only those that `isNamed`: the panel keeps the others. */
const dataIn = ({ kind, data }: ConfigurationRow, isNamed: (name: string) => boolean): unknown => {
  if (!isJsonObject(data)) return data;
  // What the site remembers of fields that are gone is nothing that a folder has.
  return omit(data, (name) => (kind === KINDS.setting ? !isNamed(name) : name === 'retired_fields'));
};

const hasKey = (row: ProfileRow | undefined, name: string): boolean =>
  isJsonObject(row?.data) && Object.hasOwn(row.data, name);

/** The present rows of the site for the pieces that are in the folder or came with the last import. */
async function presentRows(
  kernel: Kernel,
  tx: Transaction,
  { wanted }: Folder,
  last: ReadonlyMap<string, ProfileRow>,
): Promise<ProfileRow[]> {
  const pieces = byKey(wanted);
  const rows = [
    ...(await loadConfiguration(tx)).rows,
    ...(await loadTableRows(kernel, tx, [...wanted, ...last.values()])),
  ];
  return rows.flatMap((row) => {
    const [piece, before] = [pieces.get(keyOf(row)), last.get(keyOf(row))];
    const file = (piece ?? before)?.file;
    const isNamed = (name: string) => hasKey(piece, name) || hasKey(before, name);
    return file === undefined ? [] : [{ ...row, data: dataIn(row, isNamed), file }];
  });
}

/**
 * The rows of the last import of the kinds that the folder covers. Pieces and settings that it did not bring are compared with what
 * the profile of the site installed, when the folder has them.
 */
async function baseRows(
  tx: Transaction,
  { wanted }: Folder,
  last: ReadonlyMap<string, ProfileRow>,
): Promise<ProfileRow[]> {
  const installed = byKey(await loadInstalledProfile(tx));
  const first = wanted.flatMap((piece) => {
    const row = installed.get(keyOf(piece));
    const before = last.get(keyOf(piece));
    if (!row || (before && piece.kind !== KINDS.setting)) return [];
    const data = dataIn(row, (name) => hasKey(piece, name));
    return [{ ...row, data: isJsonObject(data) && isJsonObject(before?.data) ? { ...data, ...before.data } : data }];
  });
  return [...byKey([...last.values(), ...first]).values()];
}

const FIRST_IMPORT =
  'No earlier import is recorded on this site: the folder was compared with the profile of the site, and what an import of an older release brought counts as a change of the site. Read what is kept; --overwrite takes it from the folder.';

/**
 * Gives a site the set-up of a folder, in one transaction: what the folder changes since the last import is changed, added and
 * removed, unless the site has changed it by itself, or content has values of it. Kinds that the folder says nothing of stay. Content
 * follows. A `dryRun` changes nothing. Throws ConfigError for a folder that cannot be used, BadRequest and ValidationFailed when the
 * site could not be built with it.
 */
export async function importSetup(
  kernel: Kernel,
  { folder, dryRun, overwrite, caller }: SetupImport,
): Promise<SetupReport> {
  const files = loadFiles(folder);
  const wanted = fileEntries(files);
  const kinds = kindsIn(files);
  const ordered = [...profileOrder(files.get('metadata.json')).keys()];
  requireProfileRows(wanted);
  requireKnownSettings(kernel, wanted);
  const change = async (tx: Transaction): Promise<SetupReport> => {
    await lockSetup(tx);
    await lockPeople(tx);
    // Writers wait until the end, so that none works with types and workflows that are just changing.
    await locateForWrite(kernel, ROOT, tx, 'change');
    await lockConfiguration(tx);
    const imported = await loadImportedSetup(tx);
    const last = byKey(imported.filter(({ kind }) => kinds.has(kind)));
    const base = overwrite
      ? await presentRows(kernel, tx, { wanted, kinds }, last)
      : await baseRows(tx, { wanted, kinds }, last);
    const merge = await mergeProfile(kernel, tx, { base, wanted, hides: overwrite });
    const { pieces, losses, before, after, reached } = merge;
    await writeImportedSetup(tx, [...reached, ...imported.filter(({ kind }) => !kinds.has(kind))]);
    const kept = pieces.reduce((count, { conflicts }) => count + conflicts.length, 0);
    const lines = reportLines(kernel, merge);
    if (kept > 0 && imported.length === 0) lines.push(FIRST_IMPORT);
    const moved = await orderPieces(tx, wanted, ordered);
    lines.push(...moved);
    await requireUniqueSite(tx, { before, after, caller });
    lines.push(...(await followUp(kernel, tx, { change: followUpOf(before, after), site: after, actor: caller.id })));
    const report: SetupReport = { lines, kept, details: reportJson(kernel, merge) };
    if (dryRun) return report;
    const names = pieces.filter(({ changes }) => changes.length > 0).map(({ kind, id }) => `${kind} ${id}`);
    if (names.length + moved.length > 0)
      await kernel.events.emit(
        'site.changed',
        { part: 'set-up', id: '', change: 'imported', names, ...(losses.length > 0 && { hidden: losses }) },
        { tx, caller },
      );
    return report;
  };
  return rehearse(kernel.db, change, () => !dryRun);
}
