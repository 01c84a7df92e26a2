import { type StaticDecode, Type } from 'typebox';
import { BadRequest } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json-object.ts';
import { BooleanParameter, IntegerParameter } from '../../../lib/schema/parameters.ts';
import { Address, AnyObject } from '../../../lib/schema/shapes.ts';
import { siteScales } from '../../configuration/panels/content.ts';
import { navigationPanel } from '../../configuration/panels/navigation.ts';
import { panelSettings } from '../../configuration/panels/panel.ts';
import type { Site } from '../../configuration/site/site.ts';
import { internalPath } from '../../content/blocks/internal-path.ts';
import { type WholeTreeRow, wholeTreeRows } from '../../content/statements/navigation.ts';
import { isAtOrBelow, namesOf, pathsTo } from '../../content/tree-path.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import { componentUrl, defineComponent } from '../components.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { allMetadata } from '../summary.ts';
import { chainOf, navigationRoot } from './chain.ts';
import { MAX_DEPTH, navScope, nestRows } from './navigation-tree.ts';

/** Options of a context navigation (plone.restapi §7, `@contextnavigation`). */
const ContextTreeQuery = Type.Object({
  name: Type.String({ description: 'Title of the tree; empty for none of its own.', trim: true, default: '' }),
  root_path: Type.Optional(
    Type.String({ description: 'Path of the root; the navigation root unless given.', trim: true }),
  ),
  topLevel: Type.Optional(
    IntegerParameter('topLevel', {
      description:
        'Levels below the root at which the tree begins, on the way to the content; the section of the content unless given.',
    }),
  ),
  bottomLevel: IntegerParameter('bottomLevel', {
    description: `Levels of the tree; 0 for all up to ${MAX_DEPTH}, negative for none.`,
    default: 0,
  }),
  includeTop: BooleanParameter('includeTop', {
    description: 'Whether the object that the tree begins at comes first.',
    default: false,
  }),
  currentFolderOnly: BooleanParameter('currentFolderOnly', {
    description: 'Whether the tree begins at the container of the content.',
    default: false,
  }),
  no_icons: BooleanParameter('no_icons', { description: 'Whether icons are left out.', default: false }),
  no_thumbs: BooleanParameter('no_thumbs', { description: 'Whether pictures are left out.', default: false }),
  thumb_scale: Type.String({ description: 'Scale of the pictures.', trim: true, default: 'thumb' }),
});

type ContextTreeOptions = StaticDecode<typeof ContextTreeQuery>;

/** Turns a path, or an address of the site, into a path. Throws BadRequest for other addresses. */
function parseRootPath({ base, kernel }: RenderContext, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const bases = [base, ...(kernel.config.publicUrl ? [kernel.config.publicUrl] : [])];
  const link = internalPath(/^(?:\/|https?:)/.test(given) ? given : `/${given}`, bases);
  if (!link || !('path' in link)) throw new BadRequest('Invalid root_path: Not a path of this site');
  return link.path;
}

/** The path of the object between `root` and `path` that is `level` levels below `root`. */
const pathAtLevel = (root: string, path: string, level: number): string | undefined =>
  pathsTo(path)[namesOf(root).length + level];

/** Says if all branches are open (Nick), or only the branches that lead to the context (Plone). */
const opensAllBranches = ({ site }: RenderContext): boolean => panelSettings(site, navigationPanel).opens_all_branches;

/**
 * Returns the path of the top of the tree: of the object that contains the context, `topLevel` levels below the root. Without `topLevel` the top is
 * the section of the context; a site that opens all branches also has a tree for the root itself (Nick).
 */
function treeRoot(
  { currentFolderOnly, topLevel }: ContextTreeOptions,
  context: RenderContext,
  { object, ancestors }: ResolvedNode,
  root: string,
): string | undefined {
  if (currentFolderOnly) {
    const folderish = context.site.types.get(object.type)?.folderish ?? false;
    return folderish ? object.path : (ancestors[0] ?? object).path;
  }
  const inside = isAtOrBelow(object.path, root);
  if (topLevel === 0) return root;
  const top = inside ? pathAtLevel(root, object.path, Math.max(topLevel ?? 1, 1)) : undefined;
  const isGiven = topLevel !== undefined && topLevel > 0;
  return top ?? (!isGiven && opensAllBranches(context) ? root : undefined);
}

/** Lower-case words and numbers joined by dashes, as Plone makes CSS classes of names. */
const normalized = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Says if the site has a scale of this name. */
const hasScale = (site: Site, scale: string): boolean => Object.hasOwn(siteScales(site), scale);

/** Address of the thumbnail of a listed object; empty for none. */
function thumbOf(
  site: Site,
  url: string,
  field: unknown,
  { no_thumbs: without, thumb_scale: scale }: ContextTreeOptions,
): string {
  return !without && typeof field === 'string' && field !== '' && hasScale(site, scale)
    ? `${url}/@@images/${field}/${scale}`
    : '';
}

/** A node with the keys of plone.restapi and the columns that Nick returns. */
function renderNode(
  { site, base }: RenderContext,
  current: string,
  options: ContextTreeOptions,
  row: WholeTreeRow,
): JsonObject {
  const url = urlOf(base, row.path);
  const type = site.types.get(row.type);
  const metadata = allMetadata(site, base, row);
  return Object.assign(metadata, {
    position_in_parent: row.position,
    '@id': url,
    '@type': row.type,
    title: row.navTitle ?? row.title,
    description: row.description,
    href: url,
    icon: options.no_icons ? '' : (type?.icon ?? ''),
    is_current: row.path === current,
    is_folderish: type?.folderish ?? false,
    is_in_path: row.path !== current && isAtOrBelow(current, row.path),
    normalized_id: normalized(row.name),
    review_state: row.reviewState,
    thumb: thumbOf(site, url, metadata.image_field, options),
    type: normalized(row.type),
  });
}

/** The nodes of the tree below the path `top`; with `includeTop`, that object comes first. */
async function items(
  context: RenderContext,
  resolved: ResolvedNode,
  options: ContextTreeOptions,
  top: string | undefined,
): Promise<JsonObject[]> {
  const { bottomLevel, includeTop } = options;
  if (top === undefined || bottomLevel < 0) return [];
  const depth = bottomLevel === 0 ? Number.POSITIVE_INFINITY : bottomLevel;
  const open = opensAllBranches(context) ? null : chainOf(resolved).map(({ oid }) => oid);
  const rows = await wholeTreeRows(context.db, { ...navScope(context, resolved, { root: top, depth }), open });
  const render = (row: WholeTreeRow) => renderNode(context, resolved.object.path, options, row);
  const first = includeTop ? rows.filter(({ level }) => level === 0) : [];
  return [...first.map((row) => ({ ...render(row), items: [] })), ...nestRows(rows, render)];
}

/** The tree of the section that the object is in (plone.restapi §7 and Nick, `@contextnavigation`). */
export const contextnavigation = defineComponent({
  name: 'contextnavigation',
  schema: Type.Object({
    '@id': Address,
    available: Type.Boolean(),
    has_custom_name: Type.Boolean(),
    items: Type.Array(AnyObject()),
    title: Type.String(),
    url: Address,
  }),
  options: ContextTreeQuery,
  async expand(context, resolved, options) {
    const { site, base } = context;
    const { name, bottomLevel } = options;
    const [root] = navigationRoot(site, resolved);
    const rootPath = parseRootPath(context, options.root_path);
    const top = treeRoot(options, context, resolved, rootPath ?? root.path);
    const nodes = await items(context, resolved, options, top);
    return {
      '@id': componentUrl(context, resolved, 'contextnavigation'),
      available: top !== undefined && (bottomLevel < 0 || nodes.length > 0),
      has_custom_name: name !== '',
      items: nodes,
      title: name || 'Navigation',
      url: rootPath === undefined ? `${urlOf(base, root.path)}/sitemap` : urlOf(base, rootPath),
    };
  },
});
