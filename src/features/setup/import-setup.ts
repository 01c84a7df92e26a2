import { type Caller, configuration, type Kernel, profiles, requireUniqueSite, type Transaction } from '#core';
import type { JsonObject } from '#lib/json-object';
import { lockPeople } from '../people/statements/principals.ts';
import { followChange } from '../upgrades/follow-up.ts';
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
  const setup = profiles.loadSetupFolder(kernel, folder);
  const lock = async (tx: Transaction): Promise<void> => {
    await configuration.lockSetup(tx);
    await lockPeople(tx);
  };
  return profiles.changeConfiguration(kernel, { caller, dryRun, isProgram: true, lock }, async ({ tx }) => {
    const merge = await profiles.mergeSetup(kernel, tx, setup, { overwrite });
    const { lines, kept, details, names, losses, before, after } = merge;
    const moved = await orderPieces(tx, setup);
    lines.push(...moved);
    await requireUniqueSite(tx, { before, after, caller });
    lines.push(...(await followChange(kernel, tx, { before, after, caller })));
    if (!dryRun && names.length + moved.length > 0)
      await kernel.events.emit(
        'site.changed',
        { part: 'set-up', id: '', change: 'imported', names, ...(losses.length > 0 && { hidden: losses }) },
        { tx, caller },
      );
    return { lines, kept, details };
  });
}
