import type { TokenOptions } from '../../auth/tokens.ts';
import { panelSettings } from '../../site/panel.ts';
import { securityPanel } from '../../site/panels/security.ts';
import type { Site } from '../../site/site.ts';

/** How long tokens live and whether they are stored, from the settings `security` of the site. */
export function readTokenOptions(site: Site): TokenOptions {
  const { token_timeout, use_keyring, store_tokens } = panelSettings(site, securityPanel);
  return { token_timeout, use_keyring, store_tokens };
}
