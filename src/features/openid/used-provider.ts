const COOKIE = 'canopy_provider';

/** The header that lets a browser remember which provider it has logged in with, so that it can be logged out there. */
export const usedProviderCookie = (provider: string, isSecure: boolean): string =>
  `${COOKIE}=${provider}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** The header that lets a browser forget it. */
export const noProviderCookie = (isSecure: boolean): string =>
  `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** The provider that a browser has logged in with; undefined when it does not say. */
export const usedProvider = (cookies: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z0-9-]{1,50})(?:;|$)`).exec(cookies)?.[1];
