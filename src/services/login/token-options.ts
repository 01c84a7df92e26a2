import { DEFAULT_TOKEN_OPTIONS, type TokenOptions } from '../../auth/tokens.ts';
import type { Site } from '../../site/site.ts';

/** How long tokens live and whether they are stored, from the settings `security` of the site. */
export function readTokenOptions(site: Site): TokenOptions {
  const { token_timeout: timeout, use_keyring: keyring, store_tokens: store } = site.settings.get('security') ?? {};
  return {
    token_timeout: typeof timeout === 'number' && timeout >= 0 ? timeout : DEFAULT_TOKEN_OPTIONS.token_timeout,
    use_keyring: typeof keyring === 'boolean' ? keyring : DEFAULT_TOKEN_OPTIONS.use_keyring,
    store_tokens: typeof store === 'boolean' ? store : DEFAULT_TOKEN_OPTIONS.store_tokens,
  };
}
