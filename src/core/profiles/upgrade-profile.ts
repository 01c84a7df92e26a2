import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../database/database.ts';
import { isCollision } from '../../database/sql-errors.ts';
import { BadRequest, ClientError } from '../../lib/errors.ts';
import { isJsonObject, omit } from '../../lib/json-object.ts';
import { ConfigError } from '../configuration/environment/setting-names.ts';
import type { Release } from '../configuration/profiles/profile.ts';
import type { ProfileRow } from '../configuration/profiles/profile-rows.ts';
import { applyStep, keyOf, type ProfileStep } from '../configuration/profiles/profile-step.ts';
import { mergeThreeWay } from '../configuration/profiles/three-way.ts';
import { loadConfiguration } from '../configuration/statements/configuration.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { UpgradeStep } from '../kernel/upgrade-steps.ts';
import { mergeProfile, type ProfileMerge } from './merge-profile.ts';
import { loadTableRows } from './profile-tables.ts';
import { reportLines } from './upgrade-report.ts';

/** A profile or an add-on with the version that an upgrade installs. */
export type UpgradeTarget = {
  /** The add-on; undefined for the profile of the site. */
  addon?: string;
  /** The version of the site, and the version of the files. */
  from: string;
  to: string;
  /** The installed rows; undefined if unknown. */
  installed: readonly ProfileRow[] | undefined;
  /** The rows of the files. */
  rows: readonly ProfileRow[];
  steps: readonly ProfileStep[];
  /** Loads the known files of earlier versions, the lowest version first. */
  loadReleases(): readonly Release[];
};

/** One step of an upgrade. */
export type PlannedStep = { id: string; title: string; from: string; to: string } & (
  | { does: 'data'; step: ProfileStep }
  | { does: 'files'; rows: readonly ProfileRow[] }
  | { does: 'code'; step: UpgradeStep }
);

/** Says if two versions of a profile's rows differ in more than their order. */
export function differs(before: readonly ProfileRow[], after: readonly ProfileRow[]): boolean {
  const known = new Map(before.map((row) => [keyOf(row), row.data]));
  return before.length !== after.length || !after.every((row) => isDeepStrictEqual(known.get(keyOf(row)), row.data));
}

/** A stage of an upgrade: the data of a folder, or the files of a version. */
type Stage = { version: string } & ({ step: ProfileStep } | { rows: readonly ProfileRow[] });

/** The stages between two versions, in their order; for each version, its folder comes first. */
function stagesOf({ from, to, installed, rows, steps, loadReleases }: UpgradeTarget): Stage[] {
  const isOnTheWay = ({ version }: { version: string }) =>
    BigInt(version) > BigInt(from) && BigInt(version) <= BigInt(to);
  // Changes of files without a new version are applied before newer versions.
  const isReleased = ({ version }: Release) =>
    version !== to && (isOnTheWay({ version }) || (version === from && installed !== undefined));
  const folders = steps.filter(isOnTheWay);
  const last = folders.some(({ version }) => version === to) ? [] : [{ version: to, rows }];
  return [
    ...folders.map((step) => ({ version: step.version, step })),
    ...loadReleases().filter(isReleased),
    ...last,
  ].sort((a, b) => Number(BigInt(a.version) - BigInt(b.version)));
}

/**
 * The steps of an upgrade in the order in which they run: by version, and for each version the data of its folder before code. The differences
 * between the installed rows and the known files of an earlier version are a step of their own, as are the differences to the present files if the
 * newest version has no folder.
 */
export function planUpgrade(kernel: Pick<Kernel, 'upgradeSteps'>, target: UpgradeTarget): PlannedStep[] {
  const { addon, from, to, installed } = target;
  if (BigInt(to) <= BigInt(from)) return [];
  const prefix = addon === undefined ? 'profile' : addon;
  const planned: PlannedStep[] = [];
  let reached = installed;
  let last = from;
  for (const stage of stagesOf(target)) {
    const { version } = stage;
    const range = { from: last, to: version };
    if ('step' in stage) {
      const { step } = stage;
      planned.push({ id: `${prefix}-${version}`, title: step.title, ...range, does: 'data', step });
      reached &&= applyStep(reached, step);
    } else if (!reached || differs(reached, stage.rows)) {
      const id = version === to ? `${prefix}-files` : `${prefix}-files-${version}`;
      planned.push({ id, title: 'Changes of the profile files', ...range, does: 'files', rows: stage.rows });
      reached &&= stage.rows;
    }
    last = version;
  }
  const code = kernel.upgradeSteps.between(from, to, addon).map(
    (step): PlannedStep => ({
      ...{ id: step.id, title: step.title },
      from: step.from,
      to: step.to,
      does: 'code',
      step,
    }),
  );
  return [...planned, ...code].sort(
    (a, b) => Number(BigInt(a.to) - BigInt(b.to)) || Number(a.does === 'code') - Number(b.does === 'code'),
  );
}

/** The error of a failed step of an upgrade. The message names the step; the cause of a fault is in the log. */
class UpgradeFailed extends ClientError {
  constructor(step: PlannedStep, cause: unknown) {
    const known = cause instanceof ClientError;
    const why = known ? cause.message : 'The log has the cause.';
    super(
      known ? cause.status : 500,
      'UpgradeFailed',
      `The upgrade step "${step.title}" failed, and nothing is changed. ${why}`,
    );
    this.cause = cause;
  }
}

/** The present pieces of the site, in place of the installed pieces of a profile if those are unknown. */
async function presentRows(kernel: Kernel, tx: Transaction, { rows, steps }: UpgradeTarget): Promise<ProfileRow[]> {
  const entries = steps.flatMap((step) => step.entries);
  const files = new Map([...entries, ...rows].map((row) => [keyOf(row), row.file.replace(/^upgrades\/[^/]+\//, '')]));
  const kept = await loadTableRows(kernel, tx, [...entries, ...rows]);
  return [...(await loadConfiguration(tx)).rows, ...kept].flatMap((row) => {
    const file = files.get(keyOf(row));
    if (file === undefined) return [];
    // The record of removed fields is left out: only sites have it.
    return [
      { ...row, data: isJsonObject(row.data) ? omit(row.data, (key) => key === 'retired_fields') : row.data, file },
    ];
  });
}

/** Lines of the report about parts of the files that no step has applied, so that new sites have them but this site does not. */
function leftOut(installed: readonly ProfileRow[], rows: readonly ProfileRow[]): string[] {
  const known = new Map(installed.map((row) => [keyOf(row), row.data]));
  return rows.flatMap((row) => {
    const site = known.get(keyOf(row));
    const { changes } = mergeThreeWay({ base: site, site, wanted: row.data });
    return changes.length === 0 ? [] : [`Left as it is: ${row.file} has more than the steps of this version apply.`];
  });
}

/** Returns the error of a failed step. A collision is returned unchanged, so that the database tries the transaction again. */
function failureOf(kernel: Kernel, step: PlannedStep, error: unknown): unknown {
  if (isCollision(error)) return error;
  kernel.log.error({ err: error, step: step.id }, 'an upgrade step failed');
  return new UpgradeFailed(step, error instanceof ConfigError ? new BadRequest(error.message) : error);
}

/**
 * Runs the steps of an upgrade in a transaction that has locked the configuration. Every change, and every value of the site that stays, is a line of
 * `report`. Returns the rows that are installed after the steps; undefined if unknown. Throws UpgradeFailed, which names the step.
 */
export async function runSteps(
  kernel: Kernel,
  tx: Transaction,
  {
    target,
    plan,
    report,
    onMerge = () => {},
  }: {
    target: UpgradeTarget;
    plan: readonly PlannedStep[];
    report: (line: string) => void;
    onMerge?: (merge: ProfileMerge) => void;
  },
): Promise<readonly ProfileRow[] | undefined> {
  let { installed } = target;
  const run = async (step: PlannedStep): Promise<void> => {
    report(`Running upgrade step: ${step.title} (${step.from} to ${step.to})`);
    if (step.does === 'code') return step.step.run(tx, report, kernel);
    const known = installed ?? (step.does === 'data' ? await presentRows(kernel, tx, target) : undefined);
    const wanted = step.does === 'data' ? applyStep(known ?? [], step.step) : step.rows;
    const merge = await mergeProfile(kernel, tx, { base: known, wanted });
    for (const line of reportLines(kernel, merge)) report(line);
    onMerge(merge);
    if (installed || step.does === 'files') installed = wanted;
  };
  for (const step of plan)
    await run(step).catch((error: unknown) => {
      throw failureOf(kernel, step, error);
    });
  if (installed && plan.some(({ does, to }) => does === 'data' && to === target.to))
    for (const line of leftOut(installed, target.rows)) report(line);
  return installed;
}

/** Plans an upgrade and runs its steps, as `runSteps` does. Throws BadRequest for files that cannot be used. */
export async function upgradeProfile(
  kernel: Kernel,
  tx: Transaction,
  { target, report }: { target: UpgradeTarget; report: (line: string) => void },
): Promise<void> {
  try {
    await runSteps(kernel, tx, { target, plan: planUpgrade(kernel, target), report });
  } catch (error) {
    throw error instanceof ConfigError ? new BadRequest(error.message) : error;
  }
}
