import type { Config } from '../environment/config.ts';
import { panelSettings } from '../panels/panel.ts';
import { sitePanel } from '../panels/site.ts';
import type { Site } from './site.ts';

/** The settings of the process with its public addresses. */
type Reached = { config: Pick<Config, 'publicUrl' | 'frontendUrl' | 'port'> };

const withoutSlash = (address: string): string => address.trim().replace(/\/+$/, '');

/** The address of the front end, without a slash at its end: from the panel `site`, else `FRONTEND_URL`; undefined for neither. */
export const frontendAddress = ({ config }: Reached, site: Site): string | undefined =>
  withoutSlash(panelSettings(site, sitePanel).frontend_domain) || config.frontendUrl;

/**
 * The base of all addresses that leave the site, without a slash at its end: the front end, else `PUBLIC_URL`, else this machine. It never comes from
 * a request: the client chooses the header `Host`, and links in mails carry tokens.
 */
export const publicAddress = (reached: Reached, site: Site): string =>
  frontendAddress(reached, site) ?? reached.config.publicUrl ?? `http://localhost:${reached.config.port}`;

/** The address of content, for mails and other systems. */
export const contentAddress = (reached: Reached, site: Site, path: string): string =>
  publicAddress(reached, site) + path.split('/').map(encodeURIComponent).join('/');
