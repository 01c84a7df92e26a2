import type { Transaction } from '../../database/database.ts';
import type { Kernel } from './kernel.ts';

/** One step of an upgrade of the site, or of an add-on, from one version of its profile to the next. */
export type UpgradeStep = {
  id: string;
  title: string;
  /** The add-on that is upgraded, such as the feature itself; the profile of the site unless given. */
  profile?: string;
  /** Versions of the profile, whole numbers as strings: the step runs when the site is at `from`. */
  from: string;
  to: string;
  /**
   * Changes the site inside the transaction of the upgrade; `report` adds a line to its report. For more than some hundred rows it
   * enqueues a job, which starts only after the commit of the upgrade.
   */
  run(tx: Transaction, report: (line: string) => void, kernel: Kernel): Promise<void>;
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

  /** The steps that lead from one version to another, in the order in which they run: steps of the site's profile, or of an add-on. */
  between(from: string, to: string, profile?: string): UpgradeStep[] {
    return this.#steps
      .filter((step) => step.profile === profile && BigInt(step.from) >= BigInt(from) && BigInt(step.to) <= BigInt(to))
      .sort((a, b) => Number(BigInt(a.from) - BigInt(b.from)) || Number(BigInt(a.to) - BigInt(b.to)));
  }
}
