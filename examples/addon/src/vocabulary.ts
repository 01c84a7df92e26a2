import type { SiteVocabulary } from 'canopy';

/** `@vocabularies/example.Efforts`. */
export const efforts: SiteVocabulary = {
  names: ['example.Efforts'],
  terms: () => [
    { token: 'low', title: 'Low' },
    { token: 'medium', title: 'Medium' },
    { token: 'high', title: 'High' },
  ],
};
