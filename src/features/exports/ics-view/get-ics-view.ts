import { loggedStream } from '../../../services/download/logged-stream.ts';
import { defineDocumentView } from '../define-document-view.ts';
import { calendarChunks } from '../feed-calendar.ts';

/** GET `ics_view`: the calendar of an event, or of everything below. */
export const getIcsView = defineDocumentView({
  name: 'ics_view',
  summary: 'An iCalendar document: of an event that event, else every event below that the caller may view.',
  description: 'The calendar.',
  mediaType: 'text/calendar',
  extension: 'ics',
  make: async (context) => ({
    stream: loggedStream(context.kernel.log, () => calendarChunks(context, context.resolved)),
  }),
});
