import { Type } from 'typebox';
import { formatInstant, parseDate, parseInstant, parseTime } from '../../../lib/time/iso-date.ts';
import { FieldError, type FieldKind } from '../field-kind.ts';
import { sameShape } from '../value-shapes.ts';

/** Says if a text of an export is an ISO 8601 date with a time of day. */
const isExportedInstant = (value: unknown): boolean =>
  typeof value === 'string' && value.charAt(10) === 'T' && parseInstant(value) !== undefined;

/** An instant: any ISO 8601 form, without an offset in the time zone of the writer; served in UTC with milliseconds. */
export const dateTime: FieldKind = {
  shape: () => sameShape(Type.String({ format: 'date-time' })),
  factories: [
    {
      name: 'Date/Time',
      tokens: ['label_datetime_field'],
      property: { type: 'string', widget: 'datetime' },
      forUsers: true,
    },
  ],
  indexes: ['field', 'date'],
  column: true,
  missing: null,
  deserialize(value, _field, { timeZone }) {
    const instant = typeof value === 'string' ? parseInstant(value, timeZone) : undefined;
    if (!instant) throw new FieldError('Is not a date and time, such as 2026-05-01T10:00:00Z.');
    return formatInstant(instant);
  },
  recognizes: (sample) => 'value' in sample && isExportedInstant(sample.value),
};

/** A day without a time: `2026-05-01`. */

export const date: FieldKind = {
  shape: () => sameShape(Type.String({ format: 'date' })),
  factories: [
    { name: 'Date', tokens: ['label_date_field'], property: { type: 'string', widget: 'date' }, forUsers: true },
  ],
  indexes: ['field', 'date'],
  column: true,
  missing: null,
  deserialize(value) {
    const day = typeof value === 'string' ? parseDate(value) : undefined;
    if (!day) throw new FieldError('Is not a date, such as 2026-05-01.');
    return day;
  },
  recognizes: (sample) =>
    'value' in sample &&
    typeof sample.value === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(sample.value) &&
    parseDate(sample.value) !== undefined,
};

/** A time of day: `10:30:00`. */
export const time: FieldKind = {
  shape: () => sameShape(Type.String()),
  factories: [{ name: 'Time', property: { type: 'string', widget: 'time' } }],
  indexes: ['field'],
  column: true,
  missing: null,
  deserialize(value) {
    const clock = typeof value === 'string' ? parseTime(value) : undefined;
    if (!clock) throw new FieldError('Is not a time of day, such as 10:30:00.');
    return clock;
  },
};
