import { isLanguageToken, languageTitle } from '../../i18n/languages.ts';
import type { Choices } from '../panel.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Whether a token is that of a language that has a name. */
export const isKnownLanguage = (token: string): boolean => isLanguageToken(token) && languageTitle(token) !== token;

/** The languages of these tokens. */
export const languagesOf = (tokens: readonly string[]): Choices => tokens.map((token) => [token, languageTitle(token)]);

let offered: Choices | undefined;

/** The languages with a token of two letters, by title. Others are possible, such as `pt-br`. */
export function offeredLanguages(): Choices {
  offered ??= languagesOf(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
      (token) => isKnownLanguage(token) && Intl.getCanonicalLocales(token)[0] === token,
    ),
  ).sort(([, a], [, b]) => a.localeCompare(b));
  return offered;
}
