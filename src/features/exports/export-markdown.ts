import { parseReference } from '../../content/blocks/resolve-uid.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import { type RenderContext, urlOf } from '../../serializer/render-context.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import { exportObject } from './export-object.ts';
import { renderMarkdown } from './markdown.ts';

/**
 * The absolute form of a link in served blocks. What is still a reference there leads to something that the caller may
 * not view, or that is gone: undefined.
 */
function absoluteUrl(url: string, base: string, objectUrl: string): string | undefined {
  if (url === '' || parseReference(url)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  if (url.startsWith('/') && !url.startsWith('//')) return base + url;
  return URL.canParse(url, objectUrl) ? new URL(url, objectUrl).href : undefined;
}

/** The Markdown document of an object: its blocks, or its title and description where it has none. */
export async function exportMarkdown(context: RenderContext, resolved: ResolvedNode): Promise<string> {
  const { title, description } = resolved.object;
  const { blocks, blocks_layout } = await exportObject(context, resolved);
  const objectUrl = urlOf(context.base, resolved.object.path);
  return renderMarkdown({
    title,
    description,
    // New content has an empty set of blocks, which says no more than none at all.
    blocks: isJsonObject(blocks) && Object.keys(blocks).length > 0 ? blocks : undefined,
    blocks_layout,
    resolveUrl: (url) => absoluteUrl(url, context.base, objectUrl),
  });
}
