import { catalogRowOf } from '../../content/index-content.ts';
import { securityNode } from '../../content/security-chain.ts';
import type { SecurityNode } from '../../security/role-settings.ts';
import type { TreeNode } from '../../storage/content-row.ts';
import type { CatalogRow } from '../../storage/statements/catalog-rows.ts';
import type { NumberedContent } from '../../storage/statements/import-content.ts';
import type { Reference } from '../../storage/statements/reference-rows.ts';
import type { HistoryEntry } from '../../storage/statements/workflow-history.ts';
import {
  allReferences,
  datesOf,
  historyOf,
  languageOf,
  localRolesOf,
  settingsOf,
  withRelations,
} from './content-values.ts';
import type { ImportRun } from './import-run.ts';
import type { LoadedItem } from './load-item.ts';

/** A container with its security chain: itself, its container, … the root. */
export type Container = { node: TreeNode; chain: readonly SecurityNode[] };

/** Everything that is written of one new object. */
export type ContentRows = {
  content: NumberedContent;
  catalog: CatalogRow;
  references: Reference[];
  history: HistoryEntry[];
  /** What its children need of it. */
  self: Container;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The rows of an object that is new in `container`. */
export function rowsOf(
  run: ImportRun,
  { planned, name, item, type, reviewState, layout, constrains }: LoadedItem,
  values: Record<string, unknown>,
  { oid, position, container }: { oid: number; position: number; container: Container },
): ContentRows {
  const { uid, path, exported } = planned;
  const owner = item.owner ?? container.node.owner;
  const dates = datesOf(item, new Date());
  const { fields, others } = withRelations(values, type, run.relations.get(exported.uid) ?? []);
  const translation = run.translations.get(exported.uid);
  const language = item.language ?? translation?.language ?? null;
  const content: NumberedContent = {
    ...{
      oid,
      uid,
      parent: container.node.oid,
      name,
      path,
      position,
      type: type.id,
      reviewState,
      owner,
      layout,
      constrains,
      fields,
    },
    ...dates,
    ...settingsOf(item),
    language: languageOf(run, { language }, type, container.node.language),
    localRoles: localRolesOf(run, item, owner),
    translationGroup: translation?.group ?? null,
  };
  const node: TreeNode = {
    ...content,
    title: textOf(fields.title),
    description: textOf(fields.description),
    navTitle: textOf(fields.nav_title) || null,
    linksNeighbours: fields.nextPreviousEnabled === true,
  };
  const chain = [securityNode(run.site, node), ...container.chain];
  return {
    content,
    catalog: catalogRowOf(run.site, { ...node, fields }, chain),
    references: allReferences(run, content, others),
    history: historyOf(run, item, { type, reviewState, owner, at: dates.created }),
    self: { node, chain },
  };
}
