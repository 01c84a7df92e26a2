const COOKIE = 'canopy_provider';

/** The header that stores the provider of a login in the browser, for its logout there. */
export const usedProviderCookie = (provider: string, isSecure: boolean): string =>
  `${COOKIE}=${provider}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** The header that removes the stored provider from the browser. */
export const noProviderCookie = (isSecure: boolean): string =>
  `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** The provider of a browser's login; undefined without the cookie. */
export const usedProvider = (cookies: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z0-9-]{1,50})(?:;|$)`).exec(cookies)?.[1];
