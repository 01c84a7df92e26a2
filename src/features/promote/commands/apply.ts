import { type Command, type CommandReport, ConfigError, EXIT, UsageError } from '#core';
import type { ApplyReport } from '../apply/apply-run.ts';
import { loadPlan } from '../forms/load-plan.ts';
import { CONFLICT_RULES, type ConflictRule, isConflictRule } from '../forms/plan.ts';
import { openPlace } from '../places/open-place.ts';
import { TOKEN_OPTION, textOf, tokensFor } from './options.ts';

/** Lines of a report for people. */
const MAX_LINES = 1000;

/** The report for people. */
function linesOf(report: ApplyReport, { dryRun, rule }: { dryRun: boolean; rule: ConflictRule }): string[] {
  const { created, changed, moved, removed, ordered, same, conflicts, setup, notes } = report;
  const lines = [
    ...setup.lines,
    ...created.map((path) => `+ ${path}`),
    ...moved.map(({ from, to }) => `~ ${from} is at ${to}`),
    ...changed.map((path) => `~ ${path}`),
    ...removed.map((path) => `- ${path}`),
    ...ordered.map((path) => `~ ${path}: order`),
    ...conflicts.map(({ path, part, block, message }) => `! ${path}, ${part}${block ? ` ${block}` : ''}: ${message}`),
    ...notes,
  ];
  const counts = `${created.length} created, ${moved.length} moved, ${changed.length} changed, ${removed.length} removed, ${ordered.length} orders, ${same} as wanted before, ${conflicts.length + setup.kept} conflicts`;
  return [
    ...lines.slice(0, MAX_LINES),
    ...(lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} more.`] : []),
    `${dryRun ? 'Dry run: nothing was changed. It would be' : 'Applied'}: ${counts}${conflicts.length + setup.kept > 0 ? ` (${rule})` : ''}.`,
  ];
}

/** The rule of the option. Throws UsageError for another word. */
function ruleOf(value: unknown): ConflictRule {
  const word = textOf(value) ?? 'stop';
  if (!isConflictRule(word)) throw new UsageError(`--conflicts takes one of ${CONFLICT_RULES.join(', ')}.`);
  return word;
}

/** Applies a plan to a site. */
export const applyCommand: Command = {
  name: 'apply',
  summary: 'apply a plan of "canopy diff" to a site: all of it, or nothing',
  description:
    'The plan is merged with what the site has made of its content since. A site at an address is changed with the rights of the token.',
  operands: [{ name: 'plan', description: 'The file that "canopy diff --out" wrote.', completes: 'file' }],
  options: {
    to: {
      type: 'string',
      value: 'site',
      completes: 'file',
      description: 'The site: its address, its data folder, or the address of its database.',
    },
    conflicts: {
      type: 'string',
      value: 'rule',
      description: 'What counts where both changed the same: "keep" the site, "take" the plan, or "stop", the default.',
    },
    propose: {
      type: 'string',
      value: 'title',
      description: 'Changes nothing: hands the plan in as a proposal with this title, which somebody else approves.',
    },
    comment: { type: 'string', value: 'text', description: 'With --propose: the reasons, for those who approve.' },
    'dry-run': { type: 'boolean', description: 'Only says what would happen.' },
    ...TOKEN_OPTION,
  },
  example: 'apply plan.json --to=https://www.example.org --token-file=www.token --dry-run',
  exits: {
    1: 'nothing was applied: conflicts stopped it, or not all of it is possible',
    3: 'applied, and the site kept something; with --dry-run: there are conflicts',
  },
  json: 'With --propose `proposal`, its address. Else `dry_run`, `created`, `changed`, `moved`, `removed`, `ordered`, `same`, `conflicts`, `setup` and `notes`.',
  async run(context, { operands: [file = ''], options }): Promise<CommandReport> {
    const to = textOf(options.to);
    if (to === undefined) throw new UsageError('Name the site with --to.');
    const rule = ruleOf(options.conflicts);
    const dryRun = options['dry-run'] === true;
    const title = textOf(options.propose);
    if (title !== undefined && dryRun)
      throw new UsageError('A proposal is tried when it is handed in: leave --dry-run out.');
    const tokens = tokensFor([to], options);
    const { plan, open } = await loadPlan(file);
    const place = await openPlace(context, to, tokens.get(to));
    try {
      if (title !== undefined) {
        if (!place.propose) throw new ConfigError(`${to} is no site at an address: nobody approves a proposal there.`);
        const words = { title, comment: textOf(options.comment) ?? '' };
        const proposal = await place.propose({ plan, rule, open }, words);
        return { lines: [`Proposed: ${proposal}`], data: { proposal } };
      }
      if (!place.apply) throw new ConfigError(`${to} is no site: apply the plan to a site, and pull the folder again.`);
      const report = await place.apply({ plan, rule, dryRun, open });
      const kept = rule === 'take' && !dryRun ? 0 : report.conflicts.length + report.setup.kept;
      return {
        code: kept > 0 || report.notes.length > 0 ? EXIT.findings : EXIT.done,
        lines: linesOf(report, { dryRun, rule }),
        data: { dry_run: dryRun, ...report },
      };
    } finally {
      await place.close();
    }
  },
};
