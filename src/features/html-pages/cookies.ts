import { negotiation } from '#core';

/** The cookie with the language that a reader has chosen. */
const LANGUAGE_COOKIE = 'canopy_language';
/** Seconds for which the chosen language is remembered. */
const LANGUAGE_MAX_AGE_S = 31_536_000;
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})?$/i;

const cookieHeader = ({ headers }: Pick<negotiation.Request, 'headers'>): string => headers.cookie?.toString() ?? '';

/** The value of a cookie; undefined without one. */
function cookieOf(request: Pick<negotiation.Request, 'headers'>, name: string): string | undefined {
  for (const part of cookieHeader(request).split(';')) {
    const [key = '', ...value] = part.split('=');
    if (key.trim() === name) return value.join('=').trim();
  }
  return undefined;
}

/** The language that a reader has chosen; undefined without a choice. */
export function languageCookie(request: Pick<negotiation.Request, 'headers'>): string | undefined {
  const language = cookieOf(request, LANGUAGE_COOKIE);
  return language !== undefined && LANGUAGE.test(language) ? language : undefined;
}

/** Says if a text has the form of a language tag. */
export const isLanguage = (text: string): boolean => LANGUAGE.test(text);

const isSecure = ({ scheme }: Pick<negotiation.Request, 'scheme'>): string => (scheme === 'https' ? '; Secure' : '');

/** The value of `Set-Cookie` that remembers a language. */
export const rememberLanguage = (request: negotiation.Request, language: string): string =>
  `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${LANGUAGE_MAX_AGE_S}; SameSite=Lax; HttpOnly${isSecure(request)}`;

/**
 * The values of `Set-Cookie` that begin a session: it ends with the browser, or with its token. The cookie of Volto is removed, because its token
 * would take precedence.
 */
export const beginSession = (request: negotiation.Request, token: string): string[] => [
  `${negotiation.SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict${isSecure(request)}`,
  ...(cookieOf(request, 'auth_token') === undefined ? [] : ['auth_token=; Path=/; Max-Age=0']),
];

/** The values of `Set-Cookie` that end the sessions of a browser. */
export const endSessions = (request: negotiation.Request): string[] => [
  `${negotiation.SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict${isSecure(request)}`,
  'auth_token=; Path=/; Max-Age=0',
];
