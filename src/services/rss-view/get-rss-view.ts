import { VIEW } from '../../security/permissions.ts';
import { rssChunks } from '../../serializer/feed-rss.ts';
import { DispositionQuery } from '../download/disposition.ts';
import { loggedStream } from '../download/logged-stream.ts';
import { exportHeaders } from '../export/export-headers.ts';
import { defineService } from '../service.ts';

/** GET `rss_view`: the feed of everything below. */
export const getRssView = defineService({
  name: 'rss_view',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'An RSS 2.0 document: the content object as channel, everything below that the caller may view as items.',
  query: DispositionQuery,
  responses: { 200: { description: 'The feed.', contentType: 'application/rss+xml' } },
  run: async (call) => ({
    status: 200,
    headers: exportHeaders(call, `${call.located.object.name}.rss`),
    contentType: 'application/rss+xml; charset=utf-8',
    stream: loggedStream(call.kernel.log, () => rssChunks(call, call.located)),
  }),
});
