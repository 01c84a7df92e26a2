import { formatInstant, parseDate, parseInstant, parseTime } from '../../lib/iso-date.ts';
import { FieldError, type FieldKind } from '../field-kind.ts';

/** An instant: any ISO 8601 form, without an offset taken as UTC; served in UTC with milliseconds. */
export const dateTime: FieldKind = {
  factories: ['Date/Time', 'label_datetime_field'],
  missing: null,
  deserialize(value) {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined;
    if (!instant) throw new FieldError('Is not a date and time, such as 2026-05-01T10:00:00Z.');
    return formatInstant(instant);
  },
};

export const date: FieldKind = {
  factories: ['Date', 'label_date_field'],
  missing: null,
  deserialize(value) {
    const day = typeof value === 'string' ? parseDate(value) : undefined;
    if (!day) throw new FieldError('Is not a date, such as 2026-05-01.');
    return day;
  },
};

export const time: FieldKind = {
  factories: ['Time'],
  missing: null,
  deserialize(value) {
    const clock = typeof value === 'string' ? parseTime(value) : undefined;
    if (!clock) throw new FieldError('Is not a time of day, such as 10:30:00.');
    return clock;
  },
};
