import { describe, expect, test } from 'vitest';
import {
  type RssChannel,
  type RssItem,
  renderRss,
  rssFoot,
  rssHead,
  rssItem,
  xmlText,
} from '../../src/features/exports/rss.ts';

const channel: RssChannel = {
  title: 'Events',
  description: '',
  language: 'en',
  link: 'http://localhost:8080/events',
  lastBuildDate: new Date('2022-01-01T00:00:00Z'),
  managingEditor: { email: 'admin@example.com', name: 'Admin' },
};
const item: RssItem = {
  title: 'Event 1',
  link: 'http://localhost:8080/events/event-1',
  guid: '405ca717-0c68-43a0-88ac-629a82658675',
  pubDate: new Date('2022-04-02T20:10:00Z'),
  description: 'Its <b>summary</b>',
};

test('a feed has the documented shape', () => {
  expect(renderRss(channel, [item])).toBe(`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0">
  <channel>
    <title>Events</title>
    <description></description>
    <language>en</language>
    <link>http://localhost:8080/events</link>
    <lastBuildDate>Sat, 01 Jan 2022 00:00:00 GMT</lastBuildDate>
    <managingEditor>admin@example.com (Admin)</managingEditor>
    <item>
      <title>Event 1</title>
      <link>http://localhost:8080/events/event-1</link>
      <guid isPermaLink="false">405ca717-0c68-43a0-88ac-629a82658675</guid>
      <pubDate>Sat, 02 Apr 2022 20:10:00 GMT</pubDate>
      <description>Its &lt;b&gt;summary&lt;/b&gt;</description>
    </item>
  </channel>
</rss>
`);
});

test('the parts of a streamed feed make the whole document', () => {
  expect(renderRss(channel, [item, item])).toBe(rssHead(channel) + rssItem(item) + rssItem(item) + rssFoot());
});

test('the editor of a feed without a name is shown by the address', () => {
  expect(rssHead({ ...channel, managingEditor: { email: 'a@b.org', name: '' } })).toContain(
    '<managingEditor>a@b.org</managingEditor>',
  );
});

describe('text', () => {
  test('text in a feed is escaped, so that no title ends its element', () => {
    const title = `</title><script>alert("x")</script> & 'friends' ]]> &amp;`;
    expect(rssItem({ ...item, title })).toContain(
      '<title>&lt;/title&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;friends&#39; ]]&gt; &amp;amp;</title>',
    );
  });

  test('text in a feed loses the characters that XML cannot hold, and no others', () => {
    expect(xmlText('a\u0000b\u000bc\u001fd\ufffee\uffff\ud800f\udc00')).toBe('abcdef');
    expect(xmlText('\t\n\r Ümlaut 漢 🎉 \u0085 \ufffd')).toBe('\t\n\r Ümlaut 漢 🎉 \u0085 \ufffd');
  });
});
