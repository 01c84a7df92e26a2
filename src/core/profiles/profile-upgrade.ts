import type { Queryable, Transaction } from '../../database/database.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { ConfigError } from '../configuration/environment/setting-names.ts';
import { allProfiles, loadProfile } from '../configuration/profiles/profile.ts';
import { loadState, writeState } from '../configuration/statements/configuration.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { PROFILE_STATE, requireKnownSettings, VERSION_STATE } from './install-site.ts';
import type { ProfileMerge } from './merge-profile.ts';
import { loadInstalledProfile, writeInstalledProfile } from './statements/installed-profile.ts';
import { differs, type PlannedStep, planUpgrade, runSteps, type UpgradeTarget } from './upgrade-profile.ts';
import { reportJson } from './upgrade-report.ts';

/** An upgrade of the profile of a site: the installed version, the version of the files, and the steps between them. */
export type ProfileUpgrade = { target: UpgradeTarget; plan: PlannedStep[] };

/** Loads the upgrade that the site needs. Throws BadRequest when the files of its profile cannot be used. */
export async function loadProfileUpgrade(kernel: Kernel, db: Queryable): Promise<ProfileUpgrade> {
  const name = (await loadState(db, PROFILE_STATE)) ?? kernel.config.profile;
  const instance = await loadState(db, VERSION_STATE);
  const installed = await loadInstalledProfile(db);
  try {
    const { version, rows, steps, loadReleases } = loadProfile(name, allProfiles(kernel.config));
    requireKnownSettings(kernel, [...rows, ...steps.flatMap(({ entries }) => entries)]);
    const target: UpgradeTarget = {
      from: instance ?? version,
      to: version,
      installed: installed.length === 0 ? undefined : installed,
      ...{ rows, steps, loadReleases },
    };
    return { target, plan: planUpgrade(kernel, target) };
  } catch (error) {
    throw error instanceof ConfigError ? new BadRequest(error.message) : error;
  }
}

/**
 * Runs the steps of an upgrade in a transaction that has locked the configuration, and stores the installed pieces. `report` gets the lines of the
 * report, `onChange` the changes of a step with whole values. Throws UpgradeFailed.
 */
export async function applyProfileUpgrade(
  kernel: Kernel,
  tx: Transaction,
  { target, plan }: ProfileUpgrade,
  {
    report,
    onChange,
  }: {
    report: (line: string) => void;
    onChange: (details: JsonObject) => void;
  },
): Promise<void> {
  const { from, to, installed, rows } = target;
  const onMerge = (merge: ProfileMerge): void => onChange(reportJson(kernel, merge));
  const reached = await runSteps(kernel, tx, { target, plan, report, onMerge });
  if (from !== to || !installed) await writeInstalledProfile(tx, reached ?? rows);
  else if (differs(installed, rows))
    report('The files of the profile have changed, but not its version: raise it to have the changes applied.');
  await writeState(tx, VERSION_STATE, to);
}
