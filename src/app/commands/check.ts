import { type Command, type CommandReport, EXIT, UsageError } from '../../core/kernel/command.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import type { FoundProblems, SiteCheck, SiteProblem } from '../../core/kernel/site-check.ts';
import { KERNEL_FEATURES } from '../../core/services/feature.ts';
import { ClientError, messageOf } from '../../lib/errors.ts';
import type { Progress } from '../../lib/process/progress.ts';

/** Maximum number of addresses of each kind in the report. */
const MAX_LISTED = 100;

/** The problems of one kind: all are counted, some are listed. */
type Tally = { kind: string; title: string; advice: string; found: number; repaired: number; listed: ListedProblem[] };
type ListedProblem = SiteProblem & { repaired: boolean; reason?: string };

/** Repairs the found problems, in one transaction. Returns the reason for a failure; undefined after a repair. */
async function mendAll({ db, log }: Kernel, { problems, mend }: FoundProblems): Promise<string | undefined> {
  if (!mend) return 'only people can mend it';
  try {
    await db.transaction((tx) => mend(tx), { lockTimeout: 60_000 });
    return undefined;
  } catch (error) {
    if (error instanceof ClientError) return error.message;
    log.error({ err: error, problem: problems[0] }, 'a problem could not be repaired');
    return messageOf(error);
  }
}

/** Runs the checks, and with `repair` repairs the problems that can be repaired. The use of memory does not grow with the site. */
async function checkSite(
  kernel: Kernel,
  { checks, repair, progress }: { checks: readonly SiteCheck[]; repair: boolean; progress: Progress },
): Promise<Tally[]> {
  const tallies = new Map<string, Tally>();
  for (const { name, kinds, find } of checks) {
    progress.tick(0, name);
    for await (const found of find(kernel)) {
      const reason = repair ? await mendAll(kernel, found) : undefined;
      const isRepaired = repair && reason === undefined;
      for (const problem of found.problems) {
        const { title, advice } = kinds[problem.kind] ?? { title: problem.kind, advice: '' };
        const tally = tallies.get(problem.kind) ?? {
          ...{ kind: problem.kind, title, advice },
          ...{ found: 0, repaired: 0, listed: [] },
        };
        tallies.set(problem.kind, tally);
        tally.found += 1;
        if (isRepaired) tally.repaired += 1;
        if (tally.listed.length < MAX_LISTED)
          tally.listed.push({ ...problem, repaired: isRepaired, ...(reason === undefined ? {} : { reason }) });
      }
    }
    progress.tick(1);
  }
  return [...tallies.values()];
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function linesOf({ title, advice, found, repaired, listed }: Tally, repair: boolean): string[] {
  return [
    `${title}: ${found}${repair ? `, repaired: ${repaired}` : ''}`,
    ...listed.map(({ address, detail, repaired: done, reason }) => {
      const outcome = done ? ' (repaired)' : reason === undefined ? '' : ` (not repaired: ${reason})`;
      // Control characters are removed, because names of content must not move the cursor of a terminal.
      return `  ${address}${detail === undefined ? '' : `: ${detail}`}${outcome}`.replace(/\p{Cc}/gu, ' ');
    }),
    ...(found > listed.length ? [`  … and ${found - listed.length} more`] : []),
    ...(found > repaired ? [`  ${advice}`] : []),
  ];
}

function reportOf(tallies: readonly Tally[], checks: readonly SiteCheck[], repair: boolean): CommandReport {
  const found = tallies.reduce((sum, tally) => sum + tally.found, 0);
  const repaired = tallies.reduce((sum, tally) => sum + tally.repaired, 0);
  const names = checks.map(({ name }) => name);
  return {
    code: found > 0 ? EXIT.findings : EXIT.done,
    lines: [
      ...tallies.flatMap((tally) => linesOf(tally, repair)),
      found === 0
        ? `Nothing is wrong. Checked: ${names.join(', ')}.`
        : `${counted(found, 'problem')} found, ${repaired} repaired.${repaired > 0 ? ' Check again to see that nothing is left.' : ''}`,
    ],
    data: {
      checked: names,
      found,
      repaired,
      kinds: tallies.map((tally) => ({ ...tally, listed: tally.listed.map((one) => ({ ...one })) })),
    },
  };
}

/** Checks the stored data, and repairs problems that can be repaired without a loss. */
export const checkCommand: Command = {
  name: 'check',
  summary: 'look for damage in tree, catalog, references, files, versions, recycle bin and working copies',
  description:
    'It reads the whole site in small batches, on PostgreSQL while the site is in use. What is found is listed by kind, with addresses and with what to do.',
  options: {
    repair: {
      type: 'boolean',
      description: 'Repairs what can be repaired without a loss, each in a transaction, and says what it did.',
    },
    only: {
      type: 'string',
      value: 'name',
      multiple: true,
      description: 'Makes only this check, such as tree or files.',
    },
  },
  example: 'check --repair',
  exits: {
    0: 'done, and nothing is wrong',
    3: 'something is wrong, or was before the repair',
  },
  json: '`checked`, `found`, `repaired`, and `kinds`, each with `kind`, `title`, `advice`, `found`, `repaired` and the first 100 problems as `listed`.',
  async run({ open, progress }, { options }) {
    const kernel = await open();
    const all = kernel.slots.get(KERNEL_FEATURES).flatMap(({ siteChecks = [] }) => siteChecks);
    const only = Array.isArray(options.only) ? options.only.map(String) : [];
    const unknown = only.find((name) => !all.some((check) => check.name === name));
    if (unknown !== undefined)
      throw new UsageError(`There is no check "${unknown}". Checks: ${all.map(({ name }) => name).join(', ')}.`);
    const checks = only.length === 0 ? all : all.filter(({ name }) => only.includes(name));
    const bar = progress(checks.length, 'Checking');
    try {
      const repair = options.repair === true;
      return reportOf(await checkSite(kernel, { checks, repair, progress: bar }), checks, repair);
    } finally {
      bar.done();
    }
  },
};
