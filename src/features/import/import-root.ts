import { catalogRowOf } from '../../content/index-content.ts';
import { securityNode } from '../../content/security-chain.ts';
import { indexSecurity } from '../../content/security-index.ts';
import { ROOT } from '../../content/tree-path.ts';
import type { TreeNode } from '../../storage/content-row.ts';
import type { Queryable } from '../../storage/database.ts';
import { writeCatalogRows } from '../../storage/statements/catalog-rows.ts';
import { insertHistories } from '../../storage/statements/import-content.ts';
import { lockRows } from '../../storage/statements/locate-content.ts';
import { replaceReferences } from '../../storage/statements/reference-rows.ts';
import { allReferences, datesOf, historyOf, localRolesOf, settingsOf, withRelations } from './content-values.ts';
import { countMade } from './count-made.ts';
import type { ImportRun } from './import-run.ts';
import type { ImportItem } from './import-source.ts';
import { loadItem } from './load-item.ts';
import { readValuesOf } from './read-values-of.ts';
import { nodesAt } from './statements/import-lookups.ts';
import { rememberImported } from './statements/import-progress.ts';
import { fillUntouchedRoot } from './statements/import-root.ts';
import type { ReadyItem } from './write-batch.ts';

/**
 * Gives the site root the exported values: on a site whose root nobody has changed yet. Its owner, and what its owner and
 * other people may do there, stays; so does its state when the export has none.
 */
export async function importRoot(run: ImportRun, exported: ImportItem): Promise<void> {
  const { plan, scope, report, summary } = run;
  const [node] = await nodesAt(scope.db, [ROOT]);
  if (!node) throw new Error('The site has no root');
  const item = { ...exported, reviewState: exported.reviewState ?? node.reviewState };
  const loaded = await loadItem(run, plan.root, item);
  if (!loaded) {
    summary.objects.failed += 1;
    plan.root.fate = 'failed';
    return;
  }
  const [ready] = await readValuesOf(run, [{ ...loaded, name: node.title }]);
  if (ready && (await scope.write((tx) => writeRoot(tx, run, ready)))) return countMade(run, ready, node.oid);
  summary.objects.skipped += 1;
  plan.root.fate = 'present';
  report.problem({ path: ROOT, message: 'The site root was edited while the import ran and stays as it is.' });
}

async function writeRoot(tx: Queryable, run: ImportRun, { loaded, fields: values }: ReadyItem): Promise<boolean> {
  const { site, plan, relations, key } = run;
  const { planned, item, type, reviewState, layout, constrains } = loaded;
  await lockRows(tx, [ROOT], 'exclusive');
  const [before] = await nodesAt(tx, [ROOT]);
  if (!before) return false;
  const { fields, others } = withRelations(values, type, relations.get(planned.exported.uid) ?? []);
  const dates = datesOf(item, new Date());
  const change = {
    ...{ reviewState, layout, constrains, fields },
    ...dates,
    ...settingsOf(item),
    uid: plan.root.uid,
    created: item.created === null ? null : dates.created,
    modified: item.modified === null ? new Date() : dates.modified,
    language: item.language ?? before.language,
    localRoles: { ...localRolesOf(run, item, before.owner), ...before.localRoles },
  };
  if (!(await fillUntouchedRoot(tx, before.oid, change))) return false;
  const node: TreeNode = {
    ...before,
    ...change,
    title: textOf(fields.title),
    description: textOf(fields.description),
  };
  await writeCatalogRows(tx, [catalogRowOf(site, { ...node, fields }, [securityNode(site, node)])]);
  await replaceReferences(tx, node.oid, allReferences(run, { type: node.type, fields }, others));
  if (item.workflowHistory) {
    const history = historyOf(run, item, { type, reviewState, owner: node.owner, at: dates.created });
    await insertHistories(
      tx,
      history.map((entry) => ({ ...entry, content: node.oid })),
    );
  }
  // Who may view what is on the site already may follow from the root.
  await indexSecurity(tx, site, ROOT, []);
  await rememberImported(tx, key, [{ uid: planned.exported.uid, content: node.oid }]);
  return true;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
