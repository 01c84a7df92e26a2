import { PROFILE_STATE, VERSION_STATE } from '../../content/install-site.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { UpgradeStep } from '../../kernel/upgrade-steps.ts';
import { BadRequest } from '../../lib/errors.ts';
import { allProfiles, loadProfile } from '../../site/profile.ts';
import type { Queryable } from '../../storage/database.ts';
import { lockSetup } from '../../storage/statements/accounts.ts';
import { loadState, writeState } from '../../storage/statements/configuration.ts';

type Versions = { fs: string; instance: string };

/** The version of the site's profile on the file system, and the version of the site. */
async function loadVersions(kernel: Kernel, db: Queryable): Promise<Versions> {
  const profile = (await loadState(db, PROFILE_STATE)) ?? kernel.config.profile;
  const { version } = loadProfile(profile, allProfiles(kernel.config));
  return { fs: version, instance: (await loadState(db, VERSION_STATE)) ?? version };
}

/** Groups steps by their range of versions, `<from>-<to>`, in the order in which they run. */
function byRange(steps: UpgradeStep[]): Record<string, { id: string; title: string }[]> {
  const ranges: Record<string, { id: string; title: string }[]> = {};
  for (const { from, to, id, title } of steps)
    ranges[`${from}-${to}`] = [...(ranges[`${from}-${to}`] ?? []), { id, title }];
  return ranges;
}

/** Loads the versions and the pending steps (specification, `@upgrade`). */
export async function loadUpgradeState(
  kernel: Kernel,
): Promise<{ versions: Versions; upgrade_steps: ReturnType<typeof byRange> }> {
  const versions = await loadVersions(kernel, kernel.db);
  return { versions, upgrade_steps: byRange(kernel.upgradeSteps.between(versions.instance, versions.fs)) };
}

/** Rolls the transaction of a dry run back; carries the lines of its report. */
class DryRun extends Error {
  readonly lines: string[];

  constructor(lines: string[]) {
    super('dry run');
    this.lines = lines;
  }
}

/**
 * Runs all pending upgrade steps in one transaction. A `dryRun` is rolled back at the end: the report says what would
 * happen, and the site stays at its version. Throws BadRequest when the site is newer than the program, because steps
 * lead only forward.
 */
export async function runUpgrade(
  kernel: Kernel,
  dryRun: boolean,
): Promise<{ dry_run: boolean; report: string; upgraded: boolean; versions: Versions }> {
  const work = kernel.db.transaction(async (tx) => {
    await lockSetup(tx);
    const { fs, instance } = await loadVersions(kernel, tx);
    if (BigInt(instance) > BigInt(fs))
      throw new BadRequest(`The site is at version ${instance}, this program at ${fs}. Start a newer program.`);
    const lines = [
      dryRun ? 'Dry run selected.' : 'Starting the upgrade.',
      `Upgrading the site from version ${instance} to ${fs}.`,
    ];
    for (const step of kernel.upgradeSteps.between(instance, fs)) {
      lines.push(`Running upgrade step: ${step.title} (${step.from} to ${step.to})`);
      await step.run(tx, (line) => lines.push(line));
    }
    await writeState(tx, VERSION_STATE, fs);
    if (dryRun) throw new DryRun([...lines, 'Dry run: transaction aborted.']);
    return [...lines, `Your site is now up to date at version ${fs}.`];
  });
  const lines = await work.catch((error: unknown) => {
    if (error instanceof DryRun) return error.lines;
    throw error;
  });
  const versions = await loadVersions(kernel, kernel.db);
  return { dry_run: dryRun, report: lines.join('\n'), upgraded: !dryRun, versions };
}
