import { internalPath } from '../../content/blocks/internal-path.ts';
import { isAtOrBelow, namesOf, pathsTo } from '../../content/tree-path.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { siteScales } from '../../site/panels/content.ts';
import type { Site } from '../../site/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import { type WholeTreeRow, wholeTreeRows } from '../../storage/statements/navigation.ts';
import { type Component, componentOptions, componentUrl } from '../components.ts';
import { booleanParameter, integerParameter } from '../query-parameters.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { allMetadata } from '../summary.ts';
import { navigationRoot } from './chain.ts';
import { navScope, nestRows } from './navigation-tree.ts';

/** Options of a context navigation (plone.restapi §7, `@contextnavigation`). */
type ContextTreeOptions = {
  /** Title of the tree; empty for none of its own. */
  name: string;
  /** Path of the chosen root; undefined for the navigation root. */
  rootPath: string | undefined;
  /** Path of the object that is the top of the tree; undefined when the options leave none for this context. */
  treeRoot: string | undefined;
  includeTop: boolean;
  /** Levels below the tree's root; 0 for all, negative for none. */
  bottomLevel: number;
  icons: boolean;
  thumbs: boolean;
  thumbScale: string;
};

/** A path, or an address of the site, as a path. Throws BadRequest for others. */
function parseRootPath({ base, kernel }: RenderContext, value: string | null): string | undefined {
  if (value === null || value.trim() === '') return undefined;
  const given = value.trim();
  const bases = [base, ...(kernel.config.publicUrl ? [kernel.config.publicUrl] : [])];
  const link = internalPath(/^(?:\/|https?:)/.test(given) ? given : `/${given}`, bases);
  if (!link || !('path' in link)) throw new BadRequest('Invalid root_path: Not a path of this site');
  return link.path;
}

/** The path of the object between `root` and `path` that is `level` levels below `root`. */
const pathAtLevel = (root: string, path: string, level: number): string | undefined =>
  pathsTo(path)[namesOf(root).length + level];

/**
 * The object at the top of the tree: the one `topLevel` levels below the root that contains the context. Without
 * `topLevel` it is the section of the context, or the root for the root itself (Nick); with it there may be none (Plone).
 */
function treeRoot(
  options: URLSearchParams,
  context: RenderContext,
  { object, ancestors }: ResolvedNode,
  root: string,
): string | undefined {
  if (booleanParameter(options, 'currentFolderOnly', false)) {
    const folderish = context.site.types.get(object.type)?.folderish ?? false;
    return folderish ? object.path : (ancestors[0] ?? object).path;
  }
  const inside = isAtOrBelow(object.path, root);
  const topLevel = integerParameter(options, 'topLevel', -1);
  if (topLevel < 0) return (inside ? pathAtLevel(root, object.path, 1) : undefined) ?? root;
  if (topLevel === 0) return root;
  return inside ? pathAtLevel(root, object.path, topLevel) : undefined;
}

/** Parses `expand.contextnavigation.*`. Throws BadRequest for malformed values. */
function parseContextTreeOptions(context: RenderContext, resolved: ResolvedNode): ContextTreeOptions {
  const options = componentOptions(context, 'contextnavigation');
  const rootPath = parseRootPath(context, options.get('root_path'));
  const [root] = navigationRoot(context.site, resolved);
  return {
    name: options.get('name')?.trim() ?? '',
    rootPath,
    treeRoot: treeRoot(options, context, resolved, rootPath ?? root.path),
    includeTop: booleanParameter(options, 'includeTop', false),
    bottomLevel: integerParameter(options, 'bottomLevel', 0),
    icons: !booleanParameter(options, 'no_icons', false),
    thumbs: !booleanParameter(options, 'no_thumbs', false),
    thumbScale: options.get('thumb_scale')?.trim() || 'thumb',
  };
}

/** Lower-case words and numbers joined by dashes, as Plone makes CSS classes of names. */
const normalized = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Whether the site has a scale of this name. */
const hasScale = (site: Site, scale: string): boolean => Object.hasOwn(siteScales(site), scale);

/** Address of the thumbnail of a listed object; empty for none. */
function thumbOf(site: Site, url: string, field: unknown, { thumbs, thumbScale }: ContextTreeOptions): string {
  return thumbs && typeof field === 'string' && field !== '' && hasScale(site, thumbScale)
    ? `${url}/@@images/${field}/${thumbScale}`
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
  return {
    ...metadata,
    position_in_parent: row.position,
    '@id': url,
    '@type': row.type,
    title: row.navTitle ?? row.title,
    description: row.description,
    href: url,
    icon: options.icons ? (type?.icon ?? '') : '',
    is_current: row.path === current,
    is_folderish: type?.folderish ?? false,
    is_in_path: row.path !== current && isAtOrBelow(current, row.path),
    normalized_id: normalized(row.name),
    review_state: row.reviewState,
    thumb: thumbOf(site, url, metadata.image_field, options),
    type: normalized(row.type),
  };
}

/** The nodes of the tree; with `includeTop`, its root comes first. */
async function items(
  context: RenderContext,
  resolved: ResolvedNode,
  options: ContextTreeOptions,
): Promise<JsonObject[]> {
  const { treeRoot, bottomLevel, includeTop } = options;
  if (treeRoot === undefined || bottomLevel < 0) return [];
  const depth = bottomLevel === 0 ? Number.POSITIVE_INFINITY : bottomLevel;
  const rows = await wholeTreeRows(context.db, navScope(context, resolved, { root: treeRoot, depth }));
  const render = (row: WholeTreeRow) => renderNode(context, resolved.object.path, options, row);
  const top = includeTop ? rows.filter(({ level }) => level === 0).map((row) => ({ ...render(row), items: [] })) : [];
  return [...top, ...nestRows(rows, render)];
}

/** The tree of the section that the object is in (plone.restapi §7 and Nick, `@contextnavigation`). */
export const contextnavigation: Component = {
  name: 'contextnavigation',
  async expand(context, resolved) {
    const { site, base } = context;
    const options = parseContextTreeOptions(context, resolved);
    const nodes = await items(context, resolved, options);
    const [root] = navigationRoot(site, resolved);
    return {
      '@id': componentUrl(context, resolved, 'contextnavigation'),
      available: options.treeRoot !== undefined && (options.bottomLevel < 0 || nodes.length > 0),
      has_custom_name: options.name !== '',
      items: nodes,
      title: options.name || 'Navigation',
      url: options.rootPath === undefined ? `${urlOf(base, root.path)}/sitemap` : urlOf(base, options.rootPath),
    };
  },
};
