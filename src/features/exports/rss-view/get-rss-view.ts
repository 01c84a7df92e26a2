import { loggedStream } from '../../../services/download/logged-stream.ts';
import { defineDocumentView } from '../define-document-view.ts';
import { rssChunks } from '../feed-rss.ts';

/** GET `rss_view`: the feed of everything below. */
export const getRssView = defineDocumentView({
  name: 'rss_view',
  summary: 'An RSS 2.0 document: the content object as channel, everything below that the caller may view as items.',
  description: 'The feed.',
  mediaType: 'application/rss+xml',
  extension: 'rss',
  make: async (context) => ({ stream: loggedStream(context.kernel.log, () => rssChunks(context, context.resolved)) }),
});
