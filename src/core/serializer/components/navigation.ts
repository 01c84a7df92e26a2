import { type Static, Type } from 'typebox';
import { IntegerParameter } from '../../../lib/schema/parameters.ts';
import { Address, AnyObject, Nullable } from '../../../lib/schema/shapes.ts';
import { navigationPanel } from '../../configuration/panels/navigation.ts';
import { panelSettings } from '../../configuration/panels/panel.ts';
import { type TreeRow, treeRows } from '../../content/statements/navigation.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import { componentUrl, defineComponent } from '../components.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { offeredActions } from './actions.ts';
import { navigationRoot } from './chain.ts';
import { MAX_DEPTH, navScope, nestRows } from './navigation-tree.ts';
import { tabRows } from './tabs.ts';

/** Types whose objects are files: listings link to the view of the object, not to the file (Plone's registry). */
const VIEWED_TYPES = new Set(['File', 'Image', 'Video']);

const Node = Type.Object({
  '@id': Address,
  title: Type.String(),
  description: Type.String(),
  review_state: Nullable(Type.String()),
  use_view_action_in_listings: Type.Boolean(),
  nav_title: Type.Optional(Type.String({ description: 'Title for navigation, of content that has one.' })),
});
type Node = Static<typeof Node>;

/** A node of the tree, with the nodes below it as `items`. */
const Entry = Type.Intersect([Node, Type.Object({ items: Type.Array(AnyObject()) })]);
type Entry = Static<typeof Entry>;

function renderNode({ base }: RenderContext, row: TreeRow): Node {
  const node: Node = {
    '@id': urlOf(base, row.path),
    title: row.navTitle ?? row.title,
    description: row.description,
    review_state: row.reviewState,
    use_view_action_in_listings: VIEWED_TYPES.has(row.type),
  };
  if (row.navTitle !== null) node.nav_title = row.navTitle;
  return node;
}

const entry = (url: string, title: string, description: string): Entry => ({
  '@id': url,
  title,
  description,
  review_state: null,
  use_view_action_in_listings: false,
  items: [],
});

/** The entries of the menu `portal_tabs`, such as the link to the home page (plone.restapi §7, `@navigation`). */
const tabs = (context: RenderContext, resolved: ResolvedNode): Entry[] =>
  (offeredActions(context, resolved, ['portal_tabs']).portal_tabs ?? []).flatMap(({ url, title }) =>
    url === null ? [] : [entry(url, title, '')],
  );

/**
 * Entries that the site adds before its content: lines `title|description|address` of the control panel (Nick, `@navigation`). Lines whose address is
 * neither a path nor a web address are ignored.
 */
function additionalItems({ site, base }: RenderContext): Entry[] {
  return panelSettings(site, navigationPanel)
    .additional_items.split('\n')
    .flatMap((line) => {
      const [title = '', description = '', address = ''] = line.split('|').map((part) => part.trim());
      if (title === '' || !/^(?:\/|https?:\/\/)/.test(address)) return [];
      const url = address.startsWith('/') ? base + address : address;
      return [entry(url, title, description)];
    });
}

/** The content of the menu below the navigation root, as the caller may view it. */
export async function navigationContent(
  context: RenderContext,
  resolved: ResolvedNode,
  depth: number,
): Promise<Entry[]> {
  const settings = panelSettings(context.site, navigationPanel);
  if (!settings.generate_tabs) return [];
  const [{ path }] = navigationRoot(context.site, resolved);
  const root = path === '/' ? settings.root.replace(/(?<=.)\/+$/, '') : path;
  const rows = await treeRows(context.db, navScope(context, resolved, { root, depth: Math.max(1, depth) }));
  return nestRows(tabRows(rows, context.site, settings), (row) => renderNode(context, row));
}

/** The tree below the navigation root, one level deep unless `depth` says otherwise (plone.restapi §7, `@navigation`). */
export const navigation = defineComponent({
  name: 'navigation',
  schema: Type.Object({ '@id': Address, items: Type.Array(Entry) }),
  options: Type.Object({
    depth: IntegerParameter('depth', { description: `Levels of the tree; ${MAX_DEPTH} at most.`, default: 1 }),
  }),
  async expand(context, resolved, { depth }) {
    const items = await navigationContent(context, resolved, depth);
    return {
      '@id': componentUrl(context, resolved, 'navigation'),
      items: [...tabs(context, resolved), ...additionalItems(context), ...items],
    };
  },
});
