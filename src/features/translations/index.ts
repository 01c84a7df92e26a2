import { defineFeature } from '../../services/feature.ts';
import {
  deleteTranslations,
  getTranslationLocator,
  getTranslations,
  postTranslations,
  translations,
} from './endpoints.ts';
import { makeLanguageRoots } from './language-roots.ts';
import { changeLanguage, translateOriginal } from './translation-hooks.ts';

/** Content in several languages (`@translations`). */
export const translationsFeature = defineFeature({
  name: 'translations',
  services: [getTranslations, postTranslations, deleteTranslations, getTranslationLocator],
  components: [translations],
  subscribe: (kernel) =>
    kernel.events.on('settings.changed', (event, context) => makeLanguageRoots(kernel, event, context)),
  hooks: { creating: [translateOriginal], changing: [changeLanguage] },
});
