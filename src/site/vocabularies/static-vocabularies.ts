import { translate } from '../../i18n/translate.ts';
import { FIELD_KIND_TERMS } from '../../types/vocabularies/field-kind-terms.ts';
import { RULE_TRIGGER_TERMS } from '../../types/vocabularies/rule-trigger-terms.ts';
import { plainTerms, type Term } from '../../types/vocabularies/term.ts';
import { TIME_ZONE_TERMS } from '../../types/vocabularies/time-zone-terms.ts';
import type { SiteVocabulary } from '../vocabulary.ts';

const fixed = (names: SiteVocabulary['names'], terms: readonly Term[]): SiteVocabulary => ({
  names,
  terms: (_site, language) => terms.map(({ token, title }) => ({ token, title: translate(title, language) })),
});

/** The vocabularies that are the same on every site. */
export const staticVocabularies: readonly SiteVocabulary[] = [
  fixed(['Fields'], FIELD_KIND_TERMS),
  fixed(['boolean'], plainTerms(['Yes', 'No'])),
  // The core has no protection of forms by riddles; an add-on that brings one replaces this vocabulary.
  fixed(['captchaProviders', 'plone.app.discussion.vocabularies.CaptchaVocabulary'], []),
  fixed(['events', 'plone.contentrules.events'], RULE_TRIGGER_TERMS),
  fixed(
    [
      'plone.app.vocabularies.Timezones',
      'plone.app.vocabularies.CommonTimezones',
      'plone.app.vocabularies.AvailableTimezones',
    ],
    TIME_ZONE_TERMS,
  ),
];
