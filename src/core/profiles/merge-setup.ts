import type { Transaction } from '../../database/database.ts';
import { isJsonObject, type JsonObject, omit } from '../../lib/json-object.ts';
import { loadFiles } from '../configuration/profiles/profile.ts';
import {
  fileEntries,
  kindsIn,
  type ProfileRow,
  profileOrder,
  requireProfileRows,
} from '../configuration/profiles/profile-rows.ts';
import { keyOf } from '../configuration/profiles/profile-step.ts';
import { KINDS, type Site } from '../configuration/site/site.ts';
import { type ConfigurationRow, loadConfiguration } from '../configuration/statements/configuration.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { requireKnownSettings } from './install-site.ts';
import { byKey } from './merge-pieces.ts';
import { mergeProfile } from './merge-profile.ts';
import { loadTableRows } from './profile-tables.ts';
import { loadImportedSetup, loadInstalledProfile, writeImportedSetup } from './statements/installed-profile.ts';
import { reportJson, reportLines } from './upgrade-report.ts';

/** The pieces in a folder, the kinds that it covers, and the kinds whose order it gives. */
export type SetupFolder = {
  wanted: readonly ProfileRow[];
  kinds: ReadonlySet<string>;
  ordered: readonly string[];
};

/** The changes of a merge, and the site before and after it. */
export type SetupMerge = {
  /** A line for each change, and for each value of the site that stays. */
  lines: string[];
  /** The number of values that stay although the folder has other values. */
  kept: number;
  /** The changes with their values whole. */
  details: JsonObject;
  /** The kinds and ids of the pieces that have changed. */
  names: string[];
  /** Lines about values of content that are hidden, lose a title or get another state. */
  losses: string[];
  before: Site;
  after: Site;
};

/** Loads the set-up in the folder of a profile. Throws ConfigError for an unusable folder. */
export function loadSetupFolder(kernel: Pick<Kernel, 'panels'>, folder: string): SetupFolder {
  const files = loadFiles(folder);
  const wanted = fileEntries(files);
  const kinds = kindsIn(files);
  const ordered = [...profileOrder(files.get('metadata.json')).keys()];
  requireProfileRows(wanted);
  requireKnownSettings(kernel, wanted);
  return { wanted, kinds, ordered };
}

/** The data of a piece. For a panel, only the settings for which `isNamed` holds, because the panel keeps the others. */
const dataIn = ({ kind, data }: ConfigurationRow, isNamed: (name: string) => boolean): unknown => {
  if (!isJsonObject(data)) return data;
  // The record of removed fields is left out: only sites have it.
  return omit(data, (name) => (kind === KINDS.setting ? !isNamed(name) : name === 'retired_fields'));
};

const hasKey = (row: ProfileRow | undefined, name: string): boolean =>
  isJsonObject(row?.data) && Object.hasOwn(row.data, name);

/** The pieces of the folder and of the last import as on the site, as the base with which the folder always wins. */
async function presentRows(
  kernel: Kernel,
  tx: Transaction,
  { wanted }: SetupFolder,
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
 * The rows with which the folder is compared: rows of the last import, of the kinds in the folder; for pieces and settings that this import did not
 * have, the rows that the profile of the site installed.
 */
async function baseRows(
  tx: Transaction,
  { wanted }: SetupFolder,
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
 * Gives a site the set-up of a folder, in a transaction that has locked the configuration: changes of the folder since the last import are made,
 * unless the site has changed the same by itself, or content has values of a removed part. Kinds that the folder does not cover stay. With
 * `overwrite` the folder wins in both cases. Throws BadRequest and ValidationFailed when the changed site could not be built.
 */
export async function mergeSetup(
  kernel: Kernel,
  tx: Transaction,
  folder: SetupFolder,
  { overwrite }: { overwrite: boolean },
): Promise<SetupMerge> {
  const { wanted, kinds } = folder;
  const imported = await loadImportedSetup(tx);
  const last = byKey(imported.filter(({ kind }) => kinds.has(kind)));
  const base = overwrite ? await presentRows(kernel, tx, folder, last) : await baseRows(tx, folder, last);
  const merge = await mergeProfile(kernel, tx, { base, wanted, hides: overwrite });
  const { pieces, losses, before, after, reached } = merge;
  await writeImportedSetup(tx, [...reached, ...imported.filter(({ kind }) => !kinds.has(kind))]);
  const kept = pieces.reduce((count, { conflicts }) => count + conflicts.length, 0);
  const lines = reportLines(kernel, merge);
  if (kept > 0 && imported.length === 0) lines.push(FIRST_IMPORT);
  const names = pieces.filter(({ changes }) => changes.length > 0).map(({ kind, id }) => `${kind} ${id}`);
  return { lines, kept, details: reportJson(kernel, merge), names, losses, before, after };
}
