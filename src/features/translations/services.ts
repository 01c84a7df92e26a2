import type { Service } from '../../services/service.ts';
import { deleteTranslations } from './delete-translations.ts';
import { getTranslationLocator } from './get-translation-locator.ts';
import { getTranslations } from './get-translations.ts';
import { postTranslations } from './post-translations.ts';

export const translationsServices: Service[] = [
  getTranslations,
  postTranslations,
  deleteTranslations,
  getTranslationLocator,
];
