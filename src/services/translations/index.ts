import type { Service } from '../service.ts';
import { getTranslations } from './get-translations.ts';

export const translationsServices: Service[] = [getTranslations];
