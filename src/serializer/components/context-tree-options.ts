import { internalPath } from '../../content/blocks/internal-path.ts';
import { isAtOrBelow, namesOf, pathsTo } from '../../content/tree-path.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import { integerParameter } from '../batch.ts';
import { booleanParameter } from '../item-options.ts';
import type { RenderContext } from '../render-context.ts';
import { componentOptions } from './component-options.ts';
import { navigationRoot } from './navigation-root.ts';

/** What the request says of a context navigation (plone.restapi §7, `@contextnavigation`). */
export type ContextTreeOptions = {
  /** Title of the tree; empty for none of its own. */
  name: string;
  /** Path of the chosen root; undefined for the navigation root. */
  rootPath: string | undefined;
  /** Path of the object that the tree hangs on; undefined when the options leave none for this context. */
  treeRoot: string | undefined;
  includeTop: boolean;
  /** Levels below the tree's root; 0 for all, negative for none. */
  bottomLevel: number;
  icons: boolean;
  thumbs: boolean;
  thumbScale: string;
};

/** A path, or an address of the site, as a path. Throws BadRequest for others. */
function readRootPath({ base, kernel }: RenderContext, value: string | null): string | undefined {
  if (value === null || value.trim() === '') return undefined;
  const given = value.trim();
  const bases = [base, ...(kernel.config.publicUrl ? [kernel.config.publicUrl] : [])];
  const link = internalPath(/^(?:\/|https?:)/.test(given) ? given : `/${given}`, bases);
  if (!link || !('path' in link)) throw new BadRequest('Invalid root_path: Not a path of this site');
  return link.path;
}

/** The container of the way from `root` to `path` that is `level` levels below `root`. */
const onTheWay = (root: string, path: string, level: number): string | undefined =>
  pathsTo(path)[namesOf(root).length + level];

/**
 * The object that the tree hangs on: the one `topLevel` levels below the root on the way to the context. Without `topLevel`
 * it is the section that the context is in, and on the root the root (Nick); with it there may be none (Plone).
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
  if (topLevel < 0) return (inside ? onTheWay(root, object.path, 1) : undefined) ?? root;
  if (topLevel === 0) return root;
  return inside ? onTheWay(root, object.path, topLevel) : undefined;
}

/** Reads `expand.contextnavigation.*`. Throws BadRequest for values of another kind. */
export function readContextTreeOptions(context: RenderContext, resolved: ResolvedNode): ContextTreeOptions {
  const options = componentOptions(context, 'contextnavigation');
  const rootPath = readRootPath(context, options.get('root_path'));
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
