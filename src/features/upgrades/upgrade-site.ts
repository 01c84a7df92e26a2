import { type Caller, configuration, type Kernel, profiles, requireUniqueSite } from '#core';
import { BadRequest } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { followChange } from './follow-up.ts';

type Versions = { fs: string; instance: string };

type Upgrade = Awaited<ReturnType<typeof profiles.loadUpgrade>>;

const versionsOf = ({ target: { from, to } }: Upgrade): Versions => ({ fs: to, instance: from });

/** Groups steps by their range of versions, `<from>-<to>`, in the order in which they run. */
function byRange(steps: Upgrade['plan']): Record<string, { id: string; title: string }[]> {
  const ranges: Record<string, { id: string; title: string }[]> = {};
  for (const { from, to, id, title } of steps)
    ranges[`${from}-${to}`] = [...(ranges[`${from}-${to}`] ?? []), { id, title }];
  return ranges;
}

/** Loads the versions and the pending steps (specification, `@upgrade`). Throws BadRequest when the profile is broken. */
export async function loadUpgradeState(
  kernel: Kernel,
): Promise<{ versions: Versions; upgrade_steps: ReturnType<typeof byRange> }> {
  const upgrade = await profiles.loadUpgrade(kernel, kernel.db);
  return { versions: versionsOf(upgrade), upgrade_steps: byRange(upgrade.plan) };
}

/** The response of an upgrade, and its changes with their complete values, for each step that changed the configuration. */
type UpgradeReport = {
  answer: { dry_run: boolean; report: string; upgraded: boolean; versions: Versions };
  details: JsonObject[];
};

/** Runs the whole upgrade in a transaction. Returns the lines of its report, and the changes with their complete values. */
async function upgradeWithin(
  { kernel, tx, caller, site: before }: profiles.Change,
  dryRun: boolean,
): Promise<{ lines: string[]; details: JsonObject[] }> {
  const upgrade = await profiles.loadUpgrade(kernel, tx);
  const { from, to } = upgrade.target;
  if (BigInt(from) > BigInt(to))
    throw new BadRequest(`The site is at version ${from}, this program at ${to}. Start a newer program.`);
  const lines = [
    dryRun ? 'Dry run selected.' : 'Starting the upgrade.',
    from === to ? `The site is at version ${to} already.` : `Upgrading the site from version ${from} to ${to}.`,
  ];
  const details: JsonObject[] = [];
  await profiles.applyUpgrade(kernel, tx, upgrade, {
    report: (line) => lines.push(line),
    onChange: (change) => details.push(change),
  });
  const after = await kernel.sites.within(tx);
  await requireUniqueSite(tx, { before, after, caller });
  lines.push(...(await followChange(kernel, tx, { before, after, caller })));
  if (dryRun) return { lines: [...lines, 'Dry run: transaction aborted.'], details };
  await kernel.events.emit(
    'site.changed',
    { part: 'profile', id: `${from} to ${to}`, change: 'upgraded' },
    { tx, caller },
  );
  return { lines: [...lines, `Your site is now up to date at version ${to}.`], details };
}

/**
 * Runs all pending upgrade steps in one transaction. A `dryRun` is rolled back at the end: it only returns the report. Throws BadRequest when the
 * site is newer than the program, because there are no steps back, and UpgradeFailed, which names the step.
 */
export async function runUpgrade(
  kernel: Kernel,
  { dryRun, caller }: { dryRun: boolean; caller: Caller },
): Promise<UpgradeReport> {
  const { lines, details } = await profiles.changeConfiguration(
    kernel,
    { caller, dryRun, isProgram: true, lock: configuration.lockSetup },
    (change) => upgradeWithin(change, dryRun),
  );
  const versions = versionsOf(await profiles.loadUpgrade(kernel, kernel.db));
  const answer = { dry_run: dryRun, report: lines.join('\n'), upgraded: !dryRun, versions };
  return { answer, details };
}
