import { Type } from 'typebox';
import type { JsonObject } from '../../lib/json-object.ts';
import { IntegerParameter } from '../../lib/schema/parameters.ts';
import { panelSettings } from '../../site/panel.ts';
import { navigationPanel } from '../../site/panels/navigation.ts';
import { type TreeRow, treeRows } from '../../storage/statements/navigation.ts';
import { componentUrl, defineComponent } from '../components.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { navigationRoot } from './chain.ts';
import { MAX_DEPTH, navScope, nestRows } from './navigation-tree.ts';

/** Types that listings link to their view instead of themselves, which are files (Plone's registry). */
const VIEWED_TYPES = new Set(['File', 'Image', 'Video']);

function renderNode({ base }: RenderContext, row: TreeRow): JsonObject {
  return {
    '@id': urlOf(base, row.path),
    title: row.navTitle ?? row.title,
    description: row.description,
    review_state: row.reviewState,
    use_view_action_in_listings: VIEWED_TYPES.has(row.type),
    ...(row.navTitle === null ? {} : { nav_title: row.navTitle }),
  };
}

/**
 * Entries that the site adds before all others: lines `title|description|address` of the control panel (Nick,
 * `@navigation`). Lines with another address than a path or one of the web are passed over.
 */
function additionalItems({ site, base }: RenderContext): JsonObject[] {
  return panelSettings(site, navigationPanel)
    .additional_items.split('\n')
    .flatMap((line) => {
      const [title = '', description = '', address = ''] = line.split('|').map((part) => part.trim());
      if (title === '' || !/^(?:\/|https?:\/\/)/.test(address)) return [];
      const url = address.startsWith('/') ? base + address : address;
      return [{ '@id': url, title, description, review_state: null, use_view_action_in_listings: false, items: [] }];
    });
}

/** The tree below the navigation root, one level deep unless `depth` says otherwise (plone.restapi §7, `@navigation`). */
export const navigation = defineComponent({
  name: 'navigation',
  options: Type.Object({
    depth: IntegerParameter('depth', { description: `Levels of the tree; ${MAX_DEPTH} at most.`, default: 1 }),
  }),
  async expand(context, resolved, { depth }) {
    const [root] = navigationRoot(context.site, resolved);
    const rows = await treeRows(
      context.db,
      navScope(context, resolved, { root: root.path, depth: Math.max(1, depth) }),
    );
    const items = nestRows(rows, (row) => renderNode(context, row));
    return { '@id': componentUrl(context, resolved, 'navigation'), items: [...additionalItems(context), ...items] };
  },
});
