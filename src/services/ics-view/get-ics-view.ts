import { VIEW } from '../../security/permissions.ts';
import { calendarChunks } from '../../serializer/feed-calendar.ts';
import { DispositionQuery } from '../download/disposition.ts';
import { loggedStream } from '../download/logged-stream.ts';
import { exportHeaders } from '../export/export-headers.ts';
import { defineService } from '../service.ts';

/** GET `ics_view`: the calendar of an event, or of everything below. */
export const getIcsView = defineService({
  name: 'ics_view',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'An iCalendar document: of an event that event, else every event below that the caller may view.',
  query: DispositionQuery,
  responses: { 200: { description: 'The calendar.', contentType: 'text/calendar' } },
  run: async (call) => ({
    status: 200,
    headers: exportHeaders(call, `${call.located.object.name}.ics`),
    contentType: 'text/calendar; charset=utf-8',
    stream: loggedStream(call.kernel.log, () => calendarChunks(call, call.located)),
  }),
});
