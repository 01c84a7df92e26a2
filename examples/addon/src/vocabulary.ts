import type { SiteVocabulary } from 'canopy-server';

/** `@vocabularies/example.Efforts`, in the language of the reader. */
export const efforts: SiteVocabulary = {
  names: ['example.Efforts'],
  terms: ({ registries: { messages } }, language) => [
    { token: 'low', title: messages.translate('Low', language) },
    { token: 'medium', title: messages.translate('Medium', language) },
    { token: 'high', title: messages.translate('High', language) },
  ],
};
