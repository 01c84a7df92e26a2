import { plainTerms, type Term } from './term.ts';

/** The time zones that the server knows. */
export const TIME_ZONE_TERMS: readonly Term[] = plainTerms([
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]),
]);
