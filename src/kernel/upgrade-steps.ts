import type { Transaction } from '../storage/database.ts';

/** One step of an upgrade of the site from one version of the profile to the next. */
export type UpgradeStep = {
  id: string;
  title: string;
  /** Versions of the profile, whole numbers as strings: the step runs when the site is at `from`. */
  from: string;
  to: string;
  /** Changes the site inside the transaction of the upgrade; lines told to `report` appear in its report. */
  run(tx: Transaction, report: (line: string) => void): Promise<void>;
};

/** The upgrade steps of the program and its add-ons. */
export class UpgradeSteps {
  readonly #steps: UpgradeStep[] = [];

  /** Adds a step. Throws when it does not lead forward or its id is taken: a mistake of a programmer. */
  register(step: UpgradeStep): void {
    if (BigInt(step.to) <= BigInt(step.from)) throw new Error(`Upgrade step ${step.id} does not lead forward`);
    if (this.#steps.some(({ id }) => id === step.id)) throw new Error(`There are two upgrade steps ${step.id}`);
    this.#steps.push(step);
  }

  /** The steps that lead from one version to another, in the order in which they run. */
  between(from: string, to: string): UpgradeStep[] {
    return this.#steps
      .filter((step) => BigInt(step.from) >= BigInt(from) && BigInt(step.to) <= BigInt(to))
      .sort((a, b) => Number(BigInt(a.from) - BigInt(b.from)) || Number(BigInt(a.to) - BigInt(b.to)));
  }
}
