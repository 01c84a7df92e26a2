import type { RequestContext } from '../../services/service.ts';
import { FIRST_PROVIDER } from '../../site/login-provider.ts';
import { panelSettings } from '../../site/panel.ts';
import { sitePanel } from '../../site/panels/site.ts';

/** The address of the front end without a slash at its end: that of the panel `site`, else that of the site. */
export const frontOf = ({ site, base }: Pick<RequestContext, 'site' | 'base'>): string =>
  panelSettings(site, sitePanel).frontend_domain.trim().replace(/\/+$/, '') || base;

/**
 * Where a browser begins to log in with a provider: below `++api++`, so that the proxy of a front end leads it here, too. The first
 * provider has the address without an id, at which providers know sites since there was only one.
 */
export const loginAddress = (base: string, provider: string): string =>
  `${base}/++api++/@login-openid${provider === FIRST_PROVIDER ? '' : `/${provider}`}`;

/** The address that a provider sends browsers back to, which has to be registered there. Each provider has its own. */
export const callbackAddress = (base: string, provider: string): string => `${loginAddress(base, provider)}/callback`;
