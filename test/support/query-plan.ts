import type { Kernel } from '../../src/core/kernel/kernel.ts';
import type { CatalogQuery } from '../../src/core/search/query.ts';
import { ViewRule } from '../../src/core/search/statements/view-rule.ts';
import { planSearch } from '../../src/core/search/strategies/choose.ts';
import type { Caller } from '../../src/core/security/caller.ts';

type Plan = {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Plan[];
};

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/**
 * The plan of PostgreSQL for a search of a caller: tables that it scans, indexes that it uses, and pages of 8 kB that it reads.
 */
export async function queryPlan({ db, sites }: Kernel, query: CatalogQuery, { principals }: Caller) {
  const { types, catalog } = await sites.current();
  const { text, values = [] } = planSearch({
    query,
    window: { principals, rule: ViewRule.of(false), inactive: false, start: 0, size: 25 },
    context: { types, catalog, stemmers: ['english'] },
  }).statement;
  const explain = { text: `explain (analyze, buffers, format json) ${text}`, values };
  const [row] = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain);
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('There is no plan');
  const nodes = nodesOf(plan);
  return {
    scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
  };
}
