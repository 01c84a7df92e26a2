import { NotFound } from '../../lib/errors.ts';
import type { RequestContext } from '../../services/service.ts';
import type { OpenidSettings } from '../../site/config.ts';
import { panelSettings } from '../../site/panel.ts';
import { sitePanel } from '../../site/panels/site.ts';
import { openidSettings } from './provider.ts';

/** The address of the front end without a slash at its end: that of the panel `site`, else that of the site. */
export const frontOf = ({ site, base }: Pick<RequestContext, 'site' | 'base'>): string =>
  panelSettings(site, sitePanel).frontend_domain.trim().replace(/\/+$/, '') || base;

/** The settings of the provider. Throws NotFound for sites without one. */
export function requireSettings({ kernel }: Pick<RequestContext, 'kernel'>): OpenidSettings {
  const settings = openidSettings(kernel);
  if (!settings) throw new NotFound('/@login-openid', 'This site has no provider to log in with.');
  return settings;
}
