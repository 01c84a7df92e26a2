import { calendarChunks } from '../../serializer/feed-calendar.ts';
import { loggedStream } from '../download/logged-stream.ts';
import { defineDocumentView } from '../export/define-document-view.ts';

/** GET `ics_view`: the calendar of an event, or of everything below. */
export const getIcsView = defineDocumentView({
  name: 'ics_view',
  summary: 'An iCalendar document: of an event that event, else every event below that the caller may view.',
  description: 'The calendar.',
  mediaType: 'text/calendar',
  extension: 'ics',
  make: async (call) => ({ stream: loggedStream(call.kernel.log, () => calendarChunks(call, call.located)) }),
});
