import { defineFeature } from '../../services/feature.ts';
import { translationsServices } from './services.ts';
import { changeLanguage } from './translation-language.ts';
import { translateOriginal } from './translation-original.ts';
import { translations } from './translations.ts';

/** Content in several languages (`@translations`). */
export const translationsFeature = defineFeature({
  name: 'translations',
  services: translationsServices,
  components: [translations],
  hooks: { creating: [translateOriginal], changing: [changeLanguage] },
});
