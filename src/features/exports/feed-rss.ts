import { type RenderContext, urlOf } from '../../serializer/render-context.ts';
import { panelSettings } from '../../site/panel.ts';
import { mailPanel } from '../../site/panels/general.ts';
import { languagePanel } from '../../site/panels/languages.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import { FEED_BATCH, feedBatches, feedScope } from './feed-batches.ts';
import { type RssChannel, rssFoot, rssHead, rssItem } from './rss.ts';
import { type FeedRow, feedModified, feedRows } from './statements/feed-rows.ts';

/** The sender of the site's mail; without one an address at its host that takes none, as RSS wants an address. */
function managingEditor({ site, base }: RenderContext): RssChannel['managingEditor'] {
  const address = panelSettings(site, mailPanel).email_from_address.trim();
  return {
    email: address.includes('@') ? address : `noreply@${new URL(base).hostname}`,
    name: panelSettings(site, mailPanel).email_from_name,
  };
}

const item = (base: string, { uid, path, title, description, effective, created }: FeedRow): string =>
  rssItem({ title, link: urlOf(base, path), guid: uid, pubDate: effective ?? created, description });

/**
 * The RSS document of an object, in pieces: the object is the channel, everything below it that the caller may view its
 * items, in the order of paths (specification, Content).
 */
export async function* rssChunks(context: RenderContext, resolved: ResolvedNode): AsyncGenerator<string> {
  const { site, db, base } = context;
  const { object } = resolved;
  const scope = feedScope(context, resolved);
  const newest = await feedModified(db, scope);
  let pending = rssHead({
    title: object.title,
    description: object.description,
    language: object.language ?? panelSettings(site, languagePanel).default_language,
    link: urlOf(base, object.path),
    lastBuildDate: new Date(Math.max(object.modified.getTime(), newest?.getTime() ?? 0)),
    managingEditor: managingEditor(context),
  });
  // The head goes with the first batch: a database that fails at once is still answered with an error.
  for await (const rows of feedBatches((after) => feedRows(db, scope, { after, limit: FEED_BATCH }))) {
    yield pending + rows.map((row) => item(base, row)).join('');
    pending = '';
  }
  yield pending + rssFoot();
}
