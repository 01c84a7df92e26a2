import { type Caller, configuration, type Kernel, profiles, requireUniqueSite, type Transaction } from '#core';
import type { JsonObject } from '#lib/json-object';
import { lockPeople } from '../people/statements/principals.ts';
import { followChange } from '../upgrades/follow-up.ts';
import { orderPieces } from './order-pieces.ts';

/** The result of an import. */
export type SetupReport = {
  /** A line for each change, and for each value of the site that stays. */
  lines: string[];
  /** The number of values of the site that stay although the folder has others. */
  kept: number;
  /** The changes with their complete values. */
  details: JsonObject;
};

export type SetupImport = {
  /** The folder of a profile, such as `canopy setup export` writes. */
  folder: string;
  dryRun: boolean;
  /** True if the set-up replaces changes that were made on the site, and values of content. */
  overwrite: boolean;
  caller: Caller;
};

/**
 * Applies the set-up of a folder to a site, in one transaction: changes of the folder since the last import are applied, unless the site has changed
 * a value by itself, or content has values of it. Kinds that the folder does not have stay unchanged. Content is updated. A `dryRun` changes nothing.
 * Throws ConfigError for a folder that cannot be used, BadRequest and ValidationFailed when the site cannot be built with the set-up.
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
