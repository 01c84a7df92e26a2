import { type Command, type CommandReport, EXIT } from '#core';
import { type Comparison, makePlan } from '../diff/make-plan.ts';
import { entryLine, pieceLine } from '../diff/words.ts';
import { hashesIn } from '../forms/object-form.ts';
import type { PlanEntry } from '../forms/plan.ts';
import { PlanWriter } from '../forms/plan-file.ts';
import { openPlace, PLACES } from '../places/open-place.ts';
import type { Place } from '../places/place.ts';
import { SCOPE_OPTIONS, scopeOf, setupOf, TOKEN_OPTION, textOf, tokensFor } from './options.ts';

/** Lines of a report for people; a plan in a file has all. */
const MAX_LINES = 1000;

/** Values of an entry that it brings, without those that the other side has. */
const broughtBy = (entry: PlanEntry): string[] => {
  if (entry.change === 'created') return hashesIn(entry);
  if (entry.change !== 'changed') return [];
  return hashesIn({ values: Object.fromEntries(Object.entries(entry.values).map(([name, { to }]) => [name, to])) });
};

/** Compares two places, and writes the plan into a file where one is named. */
async function compare(comparison: Comparison, out: string | undefined, isJson: boolean): Promise<CommandReport> {
  const { a, b } = comparison;
  const { setup, notes, entries } = await makePlan(comparison);
  const writer = out === undefined ? undefined : new PlanWriter(out, { from: a.label, to: b.label, setup });
  const counts = { created: 0, changed: 0, removed: 0, ordered: 0 };
  const lines: string[] = [...notes, ...setup.map(pieceLine)];
  const kept: PlanEntry[] = [];
  try {
    for await (const entry of entries) {
      counts[entry.change] += 1;
      if (lines.length < MAX_LINES) lines.push(entryLine(entry));
      if (isJson && !writer) kept.push(entry);
      await writer?.entry(entry);
      if (writer) for (const hash of broughtBy(entry)) await writer.file(hash, entry.uid, b);
    }
    await writer?.finish();
  } catch (error) {
    await writer?.discard();
    throw error;
  }
  const total = setup.length + Object.values(counts).reduce((sum, count) => sum + count, 0);
  const shown = lines.length - notes.length;
  const { created, changed, removed, ordered } = counts;
  return {
    code: total === 0 ? EXIT.done : EXIT.findings,
    lines: [
      ...lines,
      ...(shown < total ? [`… and ${total - shown} more.`] : []),
      total === 0
        ? `${a.label} is as ${b.label}.`
        : `${a.label} becomes as ${b.label} by ${total} changes: ${setup.length} of the set-up, ${created} created, ${changed} changed or moved, ${removed} removed, ${ordered} orders.`,
      ...(out === undefined ? [] : [`The plan is in ${out}.`]),
    ],
    data: {
      ...{ from: a.label, to: b.label, counts: { setup: setup.length, ...counts }, notes },
      ...(out === undefined ? { format: 'canopy.plan', version: 1, setup, entries: kept } : { plan: out }),
    },
  };
}

/** Compares two sites. */
export const diffCommand: Command = {
  name: 'diff',
  summary: 'compare two sites, and make the plan that brings the first to the state of the second',
  description:
    'With --base the changes between the base and the second site are meant, such as those of a branch: what the first site has changed by itself stays.',
  operands: [
    { name: 'site', description: `The site that is to change: ${PLACES}.`, completes: 'file' },
    { name: 'wanted', description: 'The site that it is to be like.', completes: 'file' },
  ],
  options: {
    ...SCOPE_OPTIONS,
    base: { type: 'string', value: 'site', completes: 'file', description: 'What both have in common.' },
    out: {
      type: 'string',
      value: 'file',
      completes: 'file',
      description: 'Writes the plan, with its files beside it.',
    },
    ...TOKEN_OPTION,
  },
  example: 'diff https://www.example.org ./site --token-file=www.token --path=/news --out=plan.json',
  exits: { 0: 'there is no difference', 3: 'there are differences' },
  json: '`counts`, `notes`, and the plan: `setup` and `entries`, or with --out `plan`.',
  async run(context, { operands: [first = '', second = ''], options }) {
    const scope = scopeOf(options);
    const setup = setupOf(options);
    const base = textOf(options.base);
    const tokens = tokensFor([first, second, ...(base === undefined ? [] : [base])], options);
    const opened: Place[] = [];
    const open = async (name: string): Promise<Place> => {
      const place = await openPlace(context, name, tokens.get(name));
      opened.push(place);
      return place;
    };
    try {
      const [a, b] = [await open(first), await open(second)];
      const comparison = { a, b, base: base === undefined ? undefined : await open(base), scope, setup };
      return await compare(comparison, textOf(options.out), options.json === true);
    } finally {
      for (const place of opened) await place.close();
    }
  },
};
