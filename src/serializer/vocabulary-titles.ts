import { isLanguageToken, nativeLanguageTitle } from '../i18n/languages.ts';

/** Title of a token in the vocabularies that the server itself knows; undefined where it knows none. */
export function termTitle(vocabulary: string, token: string): string | undefined {
  return /Languages?$/.test(vocabulary) && isLanguageToken(token) ? nativeLanguageTitle(token) : undefined;
}
