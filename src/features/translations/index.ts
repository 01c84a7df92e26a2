import { defineFeature } from '#core';
import {
  deleteTranslations,
  getTranslationLocator,
  getTranslations,
  postTranslations,
  translations,
} from './endpoints.ts';
import { followPlace } from './follow-place.ts';
import { postLanguageFolders } from './language-folders.ts';
import { followLanguages } from './language-roots.ts';
import { getLanguageSelector } from './language-selector.ts';
import { shareFields } from './shared-fields.ts';
import { changeLanguage, translateOriginal } from './translation-hooks.ts';

/** Content in several languages (`@translations`). */
export const translationsFeature = defineFeature({
  name: 'translations',
  services: [
    getTranslations,
    postTranslations,
    deleteTranslations,
    getTranslationLocator,
    postLanguageFolders,
    getLanguageSelector,
  ],
  components: [translations],
  subscribe(kernel) {
    kernel.events.on('settings.changed', (event, context) => followLanguages(kernel, event, context));
    kernel.events.on('content.modified', (event, context) => shareFields(kernel, event, context));
    // Subscribed before the recorder of moves: an undo takes the move back first, so that the link then finds the language it needs.
    kernel.events.on('content.moved', (event, context) => followPlace(kernel, event, context));
    kernel.events.on('content.copied', (event, context) => followPlace(kernel, event, context));
  },
  hooks: { creating: [translateOriginal], changing: [changeLanguage] },
});
