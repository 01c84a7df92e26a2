import { negotiateLanguage } from '../i18n/languages.ts';
import { listSetting, type Site, textSetting } from './site.ts';

/**
 * The language in which a reader is given the words of the server: the one among the site's that fits the header
 * `Accept-Language` best, else the default one.
 */
export function readerLanguage(site: Site, acceptLanguage: string | undefined): string {
  const available = listSetting(site, 'language', 'available_languages');
  return negotiateLanguage(acceptLanguage, available, textSetting(site, 'language', 'default_language', 'en'));
}
