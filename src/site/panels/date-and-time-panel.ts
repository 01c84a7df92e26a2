import { definePanel } from '../panel.ts';
import { choice, plainChoices } from './setting-forms.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const timeZones = plainChoices([...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]);
const weekdays = WEEKDAYS.map((title, i): [string, string] => [String(i), title]);

/** When it is on the site. */
export const dateAndTimePanel = definePanel({
  id: 'date-and-time',
  title: 'Date and Time',
  group: 'General',
  settings: [
    choice('portal_timezone', {
      title: 'Time zone',
      description: 'By its clocks listings know what today is. Front ends show dates in it.',
      default: 'UTC',
      choices: () => timeZones,
    }),
    choice('first_weekday', {
      title: 'First day of the week',
      description: 'Front ends begin their calendars with it.',
      default: '0',
      choices: () => weekdays,
    }),
  ],
});
