import { has } from '../../content/permissions.ts';
import { ACCESS_INACTIVE } from '../../security/permissions.ts';
import { panelSettings } from '../../site/panel.ts';
import { navigationPanel } from '../../site/panels/navigation.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { TreeRequest } from '../../storage/statements/navigation.ts';
import type { RenderContext } from '../render-context.ts';
import { chainOf } from './navigation-root.ts';

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
