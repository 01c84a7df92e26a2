import { defineFeature } from '../../services/feature.ts';
import { accessTokens } from './authenticate.ts';
import { accessTokenServices, MAKE_TOKENS } from './endpoints.ts';
import { accessTokensPanel } from './panel.ts';

/** Personal access tokens, with which programs act in the name of a user (`@access-tokens`). */
export const accessTokensFeature = defineFeature({
  name: 'access-tokens',
  services: accessTokenServices,
  authenticators: [accessTokens],
  panels: [accessTokensPanel],
  tables: [
    { name: 'access_token', left: 'tokens of the old site must not open the new one' },
    { name: 'access_token_use', left: 'it belongs to the tokens' },
  ],
  permissions: { [MAKE_TOKENS]: ['Authenticated', 'Manager'] },
});
