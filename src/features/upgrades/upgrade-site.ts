import {
  allProfiles,
  buildSite,
  type Caller,
  ConfigError,
  differs,
  followUpOf,
  type Kernel,
  loadConfiguration,
  loadInstalledProfile,
  loadProfile,
  loadState,
  locateForWrite,
  lockConfiguration,
  lockSetup,
  type PlannedStep,
  PROFILE_STATE,
  type ProfileMerge,
  planUpgrade,
  type Queryable,
  ROOT,
  rehearse,
  reportJson,
  requireKnownSettings,
  requireUniqueSite,
  runSteps,
  type Site,
  type Transaction,
  UpgradeFailed,
  type UpgradeTarget,
  VERSION_STATE,
  writeInstalledProfile,
  writeState,
} from '#core';
import { BadRequest } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { followUp } from './follow-up.ts';

type Versions = { fs: string; instance: string };

/** Throws BadRequest in place of what is wrong with the files of a profile. */
function rejectBroken(error: unknown): never {
  throw error instanceof ConfigError ? new BadRequest(error.message) : error;
}

/**
 * What the site has and what its profile wants, with the steps between them. Throws BadRequest when the files of the profile
 * cannot be used.
 */
async function loadTarget(kernel: Kernel, db: Queryable): Promise<{ target: UpgradeTarget; plan: PlannedStep[] }> {
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
    return rejectBroken(error);
  }
}

const versionsOf = ({ from, to }: UpgradeTarget): Versions => ({ fs: to, instance: from });

/** Groups steps by their range of versions, `<from>-<to>`, in the order in which they run. */
function byRange(steps: readonly PlannedStep[]): Record<string, { id: string; title: string }[]> {
  const ranges: Record<string, { id: string; title: string }[]> = {};
  for (const { from, to, id, title } of steps)
    ranges[`${from}-${to}`] = [...(ranges[`${from}-${to}`] ?? []), { id, title }];
  return ranges;
}

/** Loads the versions and the pending steps (specification, `@upgrade`). Throws BadRequest when the profile is broken. */
export async function loadUpgradeState(
  kernel: Kernel,
): Promise<{ versions: Versions; upgrade_steps: ReturnType<typeof byRange> }> {
  const { target, plan } = await loadTarget(kernel, kernel.db);
  return { versions: versionsOf(target), upgrade_steps: byRange(plan) };
}

/** The site with the changes of a transaction. */
async function siteWithin(kernel: Kernel, tx: Transaction): Promise<Site> {
  const { version, rows } = await loadConfiguration(tx);
  return buildSite(version, rows, kernel);
}

type Run = {
  dryRun: boolean;
  caller: Caller;
  onStep: (step: PlannedStep | undefined) => void;
  onMerge: (merge: ProfileMerge) => void;
};

/** The whole upgrade in a transaction. Returns its report. */
async function upgradeWithin(
  kernel: Kernel,
  tx: Transaction,
  { dryRun, caller, onStep, onMerge }: Run,
): Promise<string[]> {
  await lockSetup(tx);
  // Writers wait until the end, so that none works with types and workflows that are just going.
  await locateForWrite(kernel, ROOT, tx, 'change');
  await lockConfiguration(tx);
  const { target, plan } = await loadTarget(kernel, tx);
  const { from, to, installed, rows } = target;
  if (BigInt(from) > BigInt(to))
    throw new BadRequest(`The site is at version ${from}, this program at ${to}. Start a newer program.`);
  const lines = [
    dryRun ? 'Dry run selected.' : 'Starting the upgrade.',
    from === to ? `The site is at version ${to} already.` : `Upgrading the site from version ${from} to ${to}.`,
  ];
  const report = (line: string) => lines.push(line);
  const before = await siteWithin(kernel, tx);
  const reached = await runSteps(kernel, tx, { target, plan, report, onMerge }, onStep);
  onStep(undefined);
  if (from !== to || !installed) await writeInstalledProfile(tx, reached ?? rows);
  else if (differs(installed, rows))
    report('The files of the profile have changed, but not its version: raise it to have the changes applied.');
  await writeState(tx, VERSION_STATE, to);
  const after = await siteWithin(kernel, tx);
  await requireUniqueSite(tx, { before, after, caller });
  lines.push(...(await followUp(kernel, tx, { change: followUpOf(before, after), site: after, actor: caller.id })));
  if (dryRun) return [...lines, 'Dry run: transaction aborted.'];
  await kernel.events.emit(
    'site.changed',
    { part: 'profile', id: `${from} to ${to}`, change: 'upgraded' },
    { tx, caller },
  );
  return [...lines, `Your site is now up to date at version ${to}.`];
}

/** The answer of an upgrade, and its changes with their values whole, a part for each step that changed the configuration. */
type UpgradeReport = {
  answer: { dry_run: boolean; report: string; upgraded: boolean; versions: Versions };
  details: JsonObject[];
};

/**
 * Runs all pending upgrade steps in one transaction. A `dryRun` is rolled back at the end: the report says what would
 * happen, and the site stays at its version. Throws BadRequest when the site is newer than the program, because steps
 * lead only forward, and UpgradeFailed, which names the step.
 */
export async function runUpgrade(
  kernel: Kernel,
  { dryRun, caller }: { dryRun: boolean; caller: Caller },
): Promise<UpgradeReport> {
  let current: PlannedStep | undefined;
  let details: JsonObject[] = [];
  const onMerge = (merge: ProfileMerge) => details.push(reportJson(kernel, merge));
  const onStep = (step: PlannedStep | undefined) => {
    current = step;
  };
  const upgrade = (tx: Transaction): Promise<string[]> => {
    onStep(undefined);
    details = [];
    return upgradeWithin(kernel, tx, { dryRun, caller, onStep, onMerge });
  };
  const lines = await rehearse(kernel.db, upgrade, () => !dryRun).catch((error: unknown) => {
    if (!current) throw error;
    kernel.log.error({ err: error, step: current.id }, 'an upgrade step failed');
    throw new UpgradeFailed(current, error instanceof ConfigError ? new BadRequest(error.message) : error);
  });
  const { target } = await loadTarget(kernel, kernel.db);
  const answer = { dry_run: dryRun, report: lines.join('\n'), upgraded: !dryRun, versions: versionsOf(target) };
  return { answer, details };
}
