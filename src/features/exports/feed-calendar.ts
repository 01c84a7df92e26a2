import { parseInstant } from '../../lib/iso-date.ts';
import { type RenderContext, urlOf } from '../../serializer/render-context.ts';
import { panelSettings } from '../../site/panel.ts';
import { languagePanel } from '../../site/panels/languages.ts';
import { sitePanel } from '../../site/panels/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import { type CalendarEvent, calendarEvent, calendarFoot, calendarHead } from './calendar.ts';
import { FEED_BATCH, feedBatches, feedScope } from './feed-batches.ts';
import { type EventRow, feedEvents } from './statements/feed-rows.ts';

/** The behavior that makes a type an event: it brings beginning and end. */
const EVENT = 'plone.eventbasic';

/** Values of an event that everybody who may view it may read; those with a permission of their own stay out of calendars. */
function openFields({ site }: RenderContext, { type, fields }: EventRow): Map<string, unknown> {
  const known = site.types.get(type)?.fields ?? [];
  const open = known.filter((field) => field.read_permission === undefined && !field.writeOnly);
  return new Map(open.map(({ name }) => [name, fields[name]]));
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const instant = (value: unknown): Date | null => (typeof value === 'string' ? (parseInstant(value) ?? null) : null);

/** The entry of one object; undefined when it has no beginning, without which there is no VEVENT. */
function eventOf(context: RenderContext, row: EventRow): CalendarEvent | undefined {
  const values = openFields(context, row);
  const start = instant(values.get('start'));
  if (!start) return undefined;
  const attendees = values.get('attendees');
  return {
    title: row.title,
    start,
    end: instant(values.get('end')),
    uid: `${row.uid}@${new URL(context.base).host}`,
    url: urlOf(context.base, row.path),
    created: row.created,
    modified: row.modified,
    openEnd: values.get('open_end') === true,
    wholeDay: values.get('whole_day') === true,
    recurrence: text(values.get('recurrence')),
    location: text(values.get('location')),
    description: text(row.description),
    contact: ['contact_name', 'contact_email', 'contact_phone'].map((name) => text(values.get(name))),
    attendees: Array.isArray(attendees) ? attendees.filter((name): name is string => typeof name === 'string') : [],
  };
}

const render = (context: RenderContext, rows: readonly EventRow[]): string =>
  rows.map((row) => eventOf(context, row)).reduce((all, event) => (event ? all + calendarEvent(event) : all), '');

/**
 * The iCalendar document of an object, in pieces: of an event that event alone, of all else every event below it that
 * the caller may view, in the order of paths (specification, Content).
 */
export async function* calendarChunks(context: RenderContext, resolved: ResolvedNode): AsyncGenerator<string> {
  const { site, db } = context;
  const head = calendarHead({
    siteTitle: panelSettings(site, sitePanel).site_title,
    language: panelSettings(site, languagePanel).default_language,
  });
  if (site.types.get(resolved.object.type)?.behaviorNames.has(EVENT)) {
    yield head + render(context, [resolved.object]) + calendarFoot();
    return;
  }
  const types = [...site.types.values()].filter((type) => type.behaviorNames.has(EVENT)).map(({ id }) => id);
  const scope = feedScope(context, resolved);
  // The head goes with the first batch: a database that fails at once is still answered with an error.
  let pending = head;
  for await (const rows of feedBatches((after) => feedEvents(db, scope, { after, limit: FEED_BATCH, types }))) {
    yield pending + render(context, rows);
    pending = '';
  }
  yield pending + calendarFoot();
}
