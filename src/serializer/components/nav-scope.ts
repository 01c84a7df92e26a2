import { has } from '../../content/permissions.ts';
import { ACCESS_INACTIVE } from '../../security/permissions.ts';
import { listSetting } from '../../site/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { TreeRequest } from '../../storage/statements/nav-tree.ts';
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
  const settings = site.settings.get('navigation');
  return {
    root,
    depth: Math.min(depth, MAX_DEPTH),
    principals: caller.principals,
    types: listSetting(site, 'navigation', 'displayed_types'),
    // Plone's setting: what is excluded is shown while the visitor is in it.
    shownAnyway: settings?.show_excluded_items === true ? chainOf(resolved).map(({ oid }) => oid) : [],
    states: settings?.filter_on_workflow === true ? listSetting(site, 'navigation', 'workflow_states_to_show') : null,
    inactive: has(site, caller, resolved, ACCESS_INACTIVE),
    limit: MAX_NODES,
  };
}
