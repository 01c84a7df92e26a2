import { isLanguageToken } from '../../i18n/languages.ts';
import { plainTerms, type Term } from '../../types/vocabularies/term.ts';
import { dateAndTimePanel } from '../panels/general.ts';
import { panelSettings } from '../panels/panel.ts';
import type { Site } from './site.ts';
import type { SiteVocabulary } from './vocabulary.ts';

/** The time zones of the server. */
const TIME_ZONE_TERMS: readonly Term[] = plainTerms([...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]);

/** The names of days or months by their numbers, from Monday and January on. 1 January 2024 was a Monday. */
function dateTerms(part: 'weekday' | 'month', width: 'long' | 'short' | 'narrow', language: string): Term[] {
  const format = new Intl.DateTimeFormat(isLanguageToken(language) ? language : 'en', {
    [part]: width,
    timeZone: 'UTC',
  });
  const nth = (i: number) => (part === 'month' ? Date.UTC(2024, i) : Date.UTC(2024, 0, 1 + i));
  return Array.from({ length: part === 'month' ? 12 : 7 }, (_, i) => ({
    token: String(i),
    title: format.format(nth(i)),
  }));
}

const dates = (
  name: string,
  part: Parameters<typeof dateTerms>[0],
  width: Parameters<typeof dateTerms>[1],
): SiteVocabulary => ({
  names: [`plone.app.vocabularies.${name}`],
  terms: (_site, language) => dateTerms(part, width, language),
});

/** The time zones that the site offers, in the order of all time zones. */
function timeZones(site: Site): readonly Term[] {
  const offered = new Set(panelSettings(site, dateAndTimePanel).available_timezones);
  return offered.size === 0 ? TIME_ZONE_TERMS : TIME_ZONE_TERMS.filter(({ token }) => offered.has(token));
}

/** Time zones, and the names of days and months. */
export const dateVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['plone.app.vocabularies.Timezones', 'plone.app.vocabularies.CommonTimezones'],
    terms: ({ registries }, language) =>
      TIME_ZONE_TERMS.map(({ token, title }) => ({ token, title: registries.messages.translate(title, language) })),
  },
  { names: ['plone.app.vocabularies.AvailableTimezones'], terms: timeZones },
  dates('Weekdays', 'weekday', 'long'),
  dates('WeekdaysAbbr', 'weekday', 'short'),
  dates('WeekdaysShort', 'weekday', 'narrow'),
  dates('Month', 'month', 'long'),
  dates('MonthAbbr', 'month', 'short'),
];
