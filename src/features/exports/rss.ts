/**
 * RSS 2.0 (https://www.rssboard.org/rss-specification) in the shape of the specification's section Content.
 * Head, items and foot are separate, so that a large folder is sent piece by piece and never whole in memory.
 */
import { xmlText } from '../../serializer/formats/xml-text.ts';

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
  /** When it was published, or created. */
  pubDate: Date;
  description: string;
};

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
