import { loginProvider, type RequestContext, siteAddress } from '#core';

/** The address of the front end without a slash at its end, or of the site without a front end. */
export const frontOf = ({ kernel, site, base }: Pick<RequestContext, 'kernel' | 'site' | 'base'>): string =>
  siteAddress.ofFrontEnd(kernel, site) ?? base;

/**
 * The address at which a browser begins to log in with a provider: below `++api++`, so that the proxy of a front end passes it on, too. The first
 * provider has the address without an id, because providers have it from the time of a single provider.
 */
export const loginAddress = (base: string, provider: string): string =>
  `${base}/++api++/@login-openid${provider === loginProvider.FIRST_PROVIDER ? '' : `/${provider}`}`;

/** The address that a provider sends browsers back to, which has to be registered there. Each provider has its own. */
export const callbackAddress = (base: string, provider: string): string => `${loginAddress(base, provider)}/callback`;
