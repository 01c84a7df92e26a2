import { followUpOf } from '../../content/content-follow-up.ts';
import { requireKnownSettings } from '../../content/install-site.ts';
import { locateForWrite } from '../../content/locate.ts';
import { mergeProfile } from '../../content/merge-profile.ts';
import { loadTableRows } from '../../content/profile-tables.ts';
import { ROOT } from '../../content/tree-path.ts';
import { requireUniqueSite } from '../../content/unique-values.ts';
import { reportLines } from '../../content/upgrade-report.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { isJsonObject, omit } from '../../lib/json-object.ts';
import type { Caller } from '../../security/caller.ts';
import { loadFiles } from '../../site/profile.ts';
import { fileEntries, type ProfileRow, profileOrder, requireProfileRows } from '../../site/profile-rows.ts';
import { KINDS } from '../../site/site.ts';
import type { Transaction } from '../../storage/database.ts';
import { lockSetup } from '../../storage/statements/accounts.ts';
import { type ConfigurationRow, loadConfiguration, lockConfiguration } from '../../storage/statements/configuration.ts';
import { loadInstalledProfile } from '../../storage/statements/installed-profile.ts';
import { followUp } from '../upgrades/follow-up.ts';
import { orderPieces } from './order-pieces.ts';

/** Rolls the transaction of a dry run back; carries the lines of its report. */
class DryRun extends Error {
  readonly lines: string[];

  constructor(lines: string[]) {
    super('dry run');
    this.lines = lines;
  }
}

export type SetupImport = {
  /** The folder of a profile, as `canopy setup export` writes it. */
  folder: string;
  dryRun: boolean;
  /** Whether the set-up wins over what the site has changed by itself. */
  overwrite: boolean;
  caller: Caller;
};

const keyOf = ({ kind, id }: { kind: string; id: string }): string => `${kind} ${id}`;

/** The data of a piece; of the settings of a panel those that the folder has, for a panel goes on having the others. */
const settingsIn = ({ kind, data }: ConfigurationRow, { data: wanted }: ProfileRow): unknown =>
  kind === KINDS.setting && isJsonObject(data) && isJsonObject(wanted)
    ? omit(data, (name) => !Object.hasOwn(wanted, name))
    : data;

/**
 * What the wanted pieces are compared with: what the profile of the site has installed, so that what the site has changed since
 * stays; or what the site has now, so that everything becomes as it is wanted. Pieces that the folder does not have stay.
 */
async function baseOf(
  kernel: Kernel,
  tx: Transaction,
  wanted: readonly ProfileRow[],
  overwrite: boolean,
): Promise<ProfileRow[]> {
  const pieces = new Map(wanted.map((row) => [keyOf(row), row]));
  const rows = overwrite
    ? [...(await loadConfiguration(tx)).rows, ...(await loadTableRows(kernel, tx, wanted))]
    : await loadInstalledProfile(tx);
  return rows.flatMap((row) => {
    const piece = pieces.get(keyOf(row));
    return piece ? [{ ...row, data: settingsIn(row, piece), file: piece.file }] : [];
  });
}

/**
 * Gives a site the set-up of a folder, in one transaction: what differs is changed, unless the site has changed it by itself.
 * Nothing that the folder does not have goes. Content follows. A `dryRun` changes nothing. Returns a line for each change, and for
 * each value that stays as the site has it. Throws ConfigError for a folder that cannot be used, BadRequest and ValidationFailed
 * when the site could not be built with it.
 */
export async function importSetup(
  kernel: Kernel,
  { folder, dryRun, overwrite, caller }: SetupImport,
): Promise<string[]> {
  const files = loadFiles(folder);
  const wanted = fileEntries(files);
  const ordered = [...profileOrder(files.get('metadata.json')).keys()];
  requireProfileRows(wanted);
  requireKnownSettings(kernel, wanted);
  const work = kernel.db.transaction(async (tx) => {
    await lockSetup(tx);
    // Writers wait until the end, so that none works with types and workflows that are just changing.
    await locateForWrite(kernel, ROOT, tx, 'change');
    await lockConfiguration(tx);
    const base = await baseOf(kernel, tx, wanted, overwrite);
    const { pieces, before, after } = await mergeProfile(kernel, tx, { base, wanted });
    const lines = pieces.flatMap((piece) => reportLines(kernel, piece));
    const moved = await orderPieces(tx, wanted, ordered);
    lines.push(...moved);
    await requireUniqueSite(tx, { before, after, caller });
    lines.push(...(await followUp(kernel, tx, { change: followUpOf(before, after), site: after, actor: caller.id })));
    if (dryRun) throw new DryRun(lines);
    const names = pieces.filter(({ changes }) => changes.length > 0).map(({ kind, id }) => `${kind} ${id}`);
    if (names.length + moved.length > 0)
      await kernel.events.emit('site.changed', { part: 'set-up', id: '', change: 'imported', names }, { tx, caller });
    return lines;
  });
  return work.catch((error: unknown) => {
    if (error instanceof DryRun) return error.lines;
    throw error;
  });
}
