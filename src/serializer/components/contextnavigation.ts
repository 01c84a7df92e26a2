import { isAtOrBelow } from '../../content/tree-path.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { siteScales } from '../../site/panels/content.ts';
import type { Site } from '../../site/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import { type WholeTreeRow, wholeTreeRows } from '../../storage/statements/navigation.ts';
import { type Component, componentUrl } from '../components.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { allMetadata } from '../summary.ts';
import { type ContextTreeOptions, readContextTreeOptions } from './context-tree-options.ts';
import { navScope } from './nav-scope.ts';
import { navigationRoot } from './navigation-root.ts';
import { nestRows } from './nest-rows.ts';

/** Words and numbers with dashes between them: how Plone turns names into classes of style sheets. */
const normalized = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Whether the site has a scale of this name. */
const hasScale = (site: Site, scale: string): boolean => Object.hasOwn(siteScales(site), scale);

/** Address of the picture of a listed object; empty for none. */
function thumbOf(site: Site, url: string, field: unknown, { thumbs, thumbScale }: ContextTreeOptions): string {
  return thumbs && typeof field === 'string' && field !== '' && hasScale(site, thumbScale)
    ? `${url}/@@images/${field}/${thumbScale}`
    : '';
}

/** A node with the keys of plone.restapi and the columns that Nick answers. */
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

/** The nodes of the tree, the root itself first where it is asked for. */
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
    const options = readContextTreeOptions(context, resolved);
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
