import {
  applyProfileUpgrade,
  type Caller,
  ConfigError,
  configuration,
  followUpOf,
  type Kernel,
  loadProfileUpgrade,
  locateForWrite,
  type PlannedStep,
  ROOT,
  rehearse,
  requireUniqueSite,
  type Site,
  type Transaction,
  UpgradeFailed,
} from '#core';
import { BadRequest } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { followUp } from './follow-up.ts';

type Versions = { fs: string; instance: string };

type Upgrade = Awaited<ReturnType<typeof loadProfileUpgrade>>;

const versionsOf = ({ target: { from, to } }: Upgrade): Versions => ({ fs: to, instance: from });

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
  const upgrade = await loadProfileUpgrade(kernel, kernel.db);
  return { versions: versionsOf(upgrade), upgrade_steps: byRange(upgrade.plan) };
}

/** The site with the changes of a transaction. */
async function siteWithin(kernel: Kernel, tx: Transaction): Promise<Site> {
  const { version, rows } = await configuration.load(tx);
  return configuration.build(version, rows, kernel);
}

type Run = {
  dryRun: boolean;
  caller: Caller;
  onStep: (step: PlannedStep | undefined) => void;
  onChange: (details: JsonObject) => void;
};

/** The whole upgrade in a transaction. Returns its report. */
async function upgradeWithin(
  kernel: Kernel,
  tx: Transaction,
  { dryRun, caller, onStep, onChange }: Run,
): Promise<string[]> {
  await configuration.lockSetup(tx);
  // Writers wait until the end, so that none works with types and workflows that are just going.
  await locateForWrite(kernel, ROOT, tx, 'change');
  await configuration.lock(tx);
  const upgrade = await loadProfileUpgrade(kernel, tx);
  const { from, to } = upgrade.target;
  if (BigInt(from) > BigInt(to))
    throw new BadRequest(`The site is at version ${from}, this program at ${to}. Start a newer program.`);
  const lines = [
    dryRun ? 'Dry run selected.' : 'Starting the upgrade.',
    from === to ? `The site is at version ${to} already.` : `Upgrading the site from version ${from} to ${to}.`,
  ];
  const report = (line: string) => lines.push(line);
  const before = await siteWithin(kernel, tx);
  await applyProfileUpgrade(kernel, tx, upgrade, { report, onStep, onChange });
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
  const onChange = (change: JsonObject) => details.push(change);
  const onStep = (step: PlannedStep | undefined) => {
    current = step;
  };
  const upgrade = (tx: Transaction): Promise<string[]> => {
    onStep(undefined);
    details = [];
    return upgradeWithin(kernel, tx, { dryRun, caller, onStep, onChange });
  };
  const lines = await rehearse(kernel.db, upgrade, () => !dryRun).catch((error: unknown) => {
    if (!current) throw error;
    kernel.log.error({ err: error, step: current.id }, 'an upgrade step failed');
    throw new UpgradeFailed(current, error instanceof ConfigError ? new BadRequest(error.message) : error);
  });
  const versions = versionsOf(await loadProfileUpgrade(kernel, kernel.db));
  const answer = { dry_run: dryRun, report: lines.join('\n'), upgraded: !dryRun, versions };
  return { answer, details };
}
