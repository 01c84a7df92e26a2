import { navigationPanel } from '../../configuration/panels/navigation.ts';
import { panelSettings } from '../../configuration/panels/panel.ts';
import { viewersOf } from '../../configuration/panels/publishing.ts';
import { has } from '../../content/permissions.ts';
import type { TreeRequest } from '../../content/statements/navigation.ts';
import { callerAt } from '../../security/caller.ts';
import { ACCESS_INACTIVE } from '../../security/permissions.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import type { RenderContext } from '../render-context.ts';
import { chainOf } from './chain.ts';

/** Maximum number of levels of a tree. */
export const MAX_DEPTH = 10;
/** Maximum number of nodes of a tree. */
const MAX_NODES = 2000;

/** The query for a navigation tree below `root`: the settings of the site (panel `navigation`) and the caller decide which content the tree shows. */
export function navScope(
  context: RenderContext,
  resolved: ResolvedNode,
  { root, depth }: { root: string; depth: number },
): TreeRequest {
  const { site, caller } = context;
  const settings = panelSettings(site, navigationPanel);
  return {
    root,
    depth: Math.min(depth, MAX_DEPTH),
    ...viewersOf(site, callerAt(caller, root)),
    types: settings.displayed_types,
    // With this setting of Plone, excluded content is shown while the visitor is inside that content.
    shownAnyway: settings.show_excluded_items ? chainOf(resolved).map(({ oid }) => oid) : [],
    open: null,
    states: settings.filter_on_workflow ? settings.workflow_states_to_show : null,
    inactive: has(site, caller, resolved, ACCESS_INACTIVE),
    limit: MAX_NODES,
  };
}

/** The place of a row in a tree. */
type Row = { level: number; oid: number; parent: number | null };

/**
 * Nests rows into a tree. Containers come before their content in `rows`, and siblings in their order. Level 0, the root
 * itself, is left out. `render` makes the node of a row, a new object each time; its `items` are added to it.
 */
export function nestRows<R extends Row, N extends object>(
  rows: readonly R[],
  render: (row: R) => N,
): (N & { items: N[] })[] {
  const top: (N & { items: N[] })[] = [];
  const items = new Map<number, N[]>();
  for (const row of rows) {
    if (row.level === 0) continue;
    const below: N[] = [];
    // No spread into a new object: it would take longer than the rest of this function.
    const node = Object.assign(render(row), { items: below });
    items.set(row.oid, below);
    if (row.level === 1) top.push(node);
    else items.get(row.parent ?? 0)?.push(node);
  }
  return top;
}
