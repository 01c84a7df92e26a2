import { rssChunks } from '../../serializer/feed-rss.ts';
import { loggedStream } from '../download/logged-stream.ts';
import { defineDocumentView } from '../export/define-document-view.ts';

/** GET `rss_view`: the feed of everything below. */
export const getRssView = defineDocumentView({
  name: 'rss_view',
  summary: 'An RSS 2.0 document: the content object as channel, everything below that the caller may view as items.',
  description: 'The feed.',
  mediaType: 'application/rss+xml',
  extension: 'rss',
  make: async (call) => ({ stream: loggedStream(call.kernel.log, () => rssChunks(call, call.located)) }),
});
