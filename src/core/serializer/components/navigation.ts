import { type Static, Type } from 'typebox';
import { IntegerParameter } from '../../../lib/schema/parameters.ts';
import { Address, AnyObject, Nullable } from '../../../lib/schema/shapes.ts';
import { addUnparsed, UnparsedJson } from '../../../lib/unparsed-json.ts';
import { navigationPanel } from '../../configuration/panels/navigation.ts';
import { panelSettings } from '../../configuration/panels/panel.ts';
import type { TreeRow } from '../../content/statements/navigation.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import { componentUrl, defineComponent } from '../components.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { offeredActions } from './actions.ts';
import { navigationRoot } from './chain.ts';
import { type Tree, treeOf } from './kept-tree.ts';
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

/** The tree of the menu below the navigation root, as the caller may view it; undefined if the site has no entries for content. */
async function menuTree(context: RenderContext, resolved: ResolvedNode, depth: number): Promise<Tree | undefined> {
  const settings = panelSettings(context.site, navigationPanel);
  if (!settings.generate_tabs) return undefined;
  const [{ path }] = navigationRoot(context.site, resolved);
  const root = path === '/' ? settings.root.replace(/(?<=.)\/+$/, '') : path;
  return treeOf(context, navScope(context, resolved, { root, depth: Math.max(1, depth) }));
}

function entriesOf(context: RenderContext, tree: Tree | undefined): Entry[] {
  if (tree === undefined) return [];
  const rows = tabRows(tree.rows, context.site, panelSettings(context.site, navigationPanel));
  return nestRows(rows, (row) => renderNode(context, row));
}

/** The JSON text of entries without the brackets of their list. */
const textOf = (entries: readonly Entry[]): string => JSON.stringify(entries).slice(1, -1);

/** The content of the menu below the navigation root, as the caller may view it. */
export const navigationContent = async (
  context: RenderContext,
  resolved: ResolvedNode,
  depth: number,
): Promise<Entry[]> => entriesOf(context, await menuTree(context, resolved, depth));

const Navigation = Type.Object({ '@id': Address, items: Type.Array(Entry) });

/** The tree below the navigation root, one level deep unless `depth` says otherwise (plone.restapi §7, `@navigation`). */
export const navigation = defineComponent({
  name: 'navigation',
  schema: Navigation,
  options: Type.Object({
    depth: IntegerParameter('depth', { description: `Levels of the tree; ${MAX_DEPTH} at most.`, default: 1 }),
  }),
  async expand(context, resolved, { depth }) {
    const tree = await menuTree(context, resolved, depth);
    const others = textOf([...tabs(context, resolved), ...additionalItems(context)]);
    const content = tree?.textFor(context.site, context.base, () => textOf(entriesOf(context, tree))) ?? '';
    const texts = [others, content].filter((text) => text !== '');
    const body: Static<typeof Navigation> = { '@id': componentUrl(context, resolved, 'navigation'), items: [] };
    // Most of a menu is the same in each response: its text is not made anew.
    addUnparsed(body, 'items', new UnparsedJson(`[${texts.join(',')}]`));
    return body;
  },
});
