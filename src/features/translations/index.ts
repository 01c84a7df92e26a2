import { defineFeature } from '../../services/feature.ts';
import {
  deleteTranslations,
  getTranslationLocator,
  getTranslations,
  postTranslations,
  translations,
} from './endpoints.ts';
import { changeLanguage, translateOriginal } from './translation-hooks.ts';

/** Content in several languages (`@translations`). */
export const translationsFeature = defineFeature({
  name: 'translations',
  services: [getTranslations, postTranslations, deleteTranslations, getTranslationLocator],
  components: [translations],
  hooks: { creating: [translateOriginal], changing: [changeLanguage] },
});
