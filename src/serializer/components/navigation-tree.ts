import { has } from '../../content/permissions.ts';
import { ACCESS_INACTIVE } from '../../security/permissions.ts';
import { panelSettings } from '../../site/panel.ts';
import { navigationPanel } from '../../site/panels/navigation.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { TreeRequest } from '../../storage/statements/navigation.ts';
import type { RenderContext } from '../render-context.ts';
import { chainOf } from './chain.ts';

/** Levels that a tree has at most, whatever is asked for. */
const MAX_DEPTH = 10;
/** Nodes that a tree has at most. */
const MAX_NODES = 2000;

/** A tree of navigation below `root`, by the settings of the site (control panel `navigation`) and what the caller may view. */
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
    principals: caller.principals,
    types: settings.displayed_types,
    // Plone's setting: what is excluded is shown while the visitor is in it.
    shownAnyway: settings.show_excluded_items ? chainOf(resolved).map(({ oid }) => oid) : [],
    states: settings.filter_on_workflow ? settings.workflow_states_to_show : null,
    inactive: has(site, caller, resolved, ACCESS_INACTIVE),
    limit: MAX_NODES,
  };
}

/** What tells where a row of a tree belongs. */
type Row = { level: number; oid: number; parent: number | null };

/**
 * Puts rows into a tree: `rows` have containers before what is in them and siblings in their order. Level 0, the root
 * itself, is left out. `render` makes the node of a row; `items` is filled in later.
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
    const node = { ...render(row), items: below };
    items.set(row.oid, below);
    if (row.level === 1) top.push(node);
    else items.get(row.parent ?? 0)?.push(node);
  }
  return top;
}
