import { negotiateLanguage } from '../i18n/languages.ts';
import { panelSettings } from './panel.ts';
import { languagePanel } from './panels/language-panel.ts';
import type { Site } from './site.ts';

/**
 * The language in which a reader is given the words of the server: the one among the site's that fits the header
 * `Accept-Language` best, else the default one.
 */
export function readerLanguage(site: Site, acceptLanguage: string | undefined): string {
  const available = panelSettings(site, languagePanel).available_languages;
  return negotiateLanguage(acceptLanguage, available, panelSettings(site, languagePanel).default_language);
}
