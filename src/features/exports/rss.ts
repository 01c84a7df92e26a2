/**
 * RSS 2.0 (https://www.rssboard.org/rss-specification) in the shape of the specification's section Content.
 * Head, items and foot are separate, so that a large folder is sent piece by piece and never whole in memory.
 */

import { panelSettings, panels, type RenderContext, type ResolvedNode, urlOf } from '#core';
import { FEED_BATCH, feedBatches, feedScope } from './feed-batches.ts';
import { type FeedRow, feedModified, feedRows } from './statements/feed-rows.ts';

/** The characters that XML 1.0 does not allow (its production 2), lone surrogates included. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/gu;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Text for an XML element or attribute: special characters become entities, and characters that XML 1.0 does not allow are
 * dropped, so that the document is always well-formed.
 */
export function xmlText(text: string): string {
  return text.replace(ILLEGAL, '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export type RssChannel = {
  title: string;
  description: string;
  /** Language token, such as `en` or `pt-br`. */
  language: string;
  /** Address of the folder. */
  link: string;
  lastBuildDate: Date;
  managingEditor: { email: string; name: string };
};

export type RssItem = {
  title: string;
  /** Address of the content. */
  link: string;
  /** UID of the content. */
  guid: string;
  /** The time of its publication, or of its creation. */
  pubDate: Date;
  description: string;
  /** Its author (Dublin Core). */
  creators?: readonly string[];
  /** Its whole text, as HTML; none unless given. */
  body?: string;
};

const DUBLIN_CORE = ' xmlns:dc="http://purl.org/dc/elements/1.1/"';

const CONTENT = ' xmlns:content="http://purl.org/rss/1.0/modules/content/"';

const element = (indent: number, name: string, text: string, attributes = ''): string =>
  `${' '.repeat(indent)}<${name}${attributes}>${xmlText(text)}</${name}>\n`;

/** The XML declaration and the channel's own elements; `rssItem`s and `rssFoot` follow. */
export function rssHead(channel: RssChannel): string {
  const { email, name } = channel.managingEditor;
  return [
    '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0">\n  <channel>\n',
    element(4, 'title', channel.title),
    element(4, 'description', channel.description),
    element(4, 'language', channel.language),
    element(4, 'link', channel.link),
    element(4, 'lastBuildDate', channel.lastBuildDate.toUTCString()),
    element(4, 'managingEditor', name === '' ? email : `${email} (${name})`),
  ].join('');
}

/** One item. Its guid is a UID and no address, hence `isPermaLink="false"`; its date is in RFC 822 form. */
export function rssItem(item: RssItem): string {
  return [
    '    <item>\n',
    element(6, 'title', item.title),
    element(6, 'link', item.link),
    element(6, 'guid', item.guid, ' isPermaLink="false"'),
    element(6, 'pubDate', item.pubDate.toUTCString()),
    element(6, 'description', item.description),
    ...(item.creators ?? []).map((creator) => element(6, 'dc:creator', creator, DUBLIN_CORE)),
    ...(item.body ? [element(6, 'content:encoded', item.body, CONTENT)] : []),
    '    </item>\n',
  ].join('');
}

/** The end of the document. */
export function rssFoot(): string {
  return '  </channel>\n</rss>\n';
}

/** A whole feed, for a number of items that fits in memory. */
export function renderRss(channel: RssChannel, items: readonly RssItem[]): string {
  return rssHead(channel) + items.map(rssItem).join('') + rssFoot();
}

/** The sender of the site's mail, or an address at its host that accepts no mail, because RSS requires an address. */
function managingEditor({ site, base }: RenderContext): RssChannel['managingEditor'] {
  const address = panelSettings(site, panels.mail).email_from_address.trim();
  return {
    email: address.includes('@') ? address : `noreply@${new URL(base).hostname}`,
    name: panelSettings(site, panels.mail).email_from_name,
  };
}

type Listed = Pick<FeedRow, 'uid' | 'path' | 'title' | 'description' | 'effective' | 'created'>;

/** Content as an item of a feed. */
export const itemOf = (base: string, { uid, path, title, description, effective, created }: Listed): RssItem => ({
  title,
  link: urlOf(base, path),
  guid: uid,
  pubDate: effective ?? created,
  description,
});

/** Content as the channel of a feed. `changed` is the time of the last change. */
export const channelOf = (context: RenderContext, { object }: ResolvedNode, changed: Date): RssChannel => ({
  title: object.title,
  description: object.description,
  language: object.language ?? panelSettings(context.site, panels.language).default_language,
  link: urlOf(context.base, object.path),
  lastBuildDate: changed,
  managingEditor: managingEditor(context),
});

/**
 * The RSS document of an object, in pieces: the object is the channel, everything below it that the caller may view its
 * items, in the order of paths (specification, Content).
 */
export async function* rssChunks(context: RenderContext, resolved: ResolvedNode): AsyncGenerator<string> {
  const { db, base } = context;
  const { object } = resolved;
  const scope = feedScope(context, resolved);
  const newest = await feedModified(db, scope);
  const changed = new Date(Math.max(object.modified.getTime(), newest?.getTime() ?? 0));
  let pending = rssHead(channelOf(context, resolved, changed));
  // The head is sent with the first batch, so that a database that fails at once still leads to an error response.
  for await (const rows of feedBatches((after) => feedRows(db, scope, { after, limit: FEED_BATCH }))) {
    yield pending + rows.map((row) => rssItem(itemOf(base, row))).join('');
    pending = '';
  }
  yield pending + rssFoot();
}
