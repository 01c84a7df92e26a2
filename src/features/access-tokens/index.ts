import { defineFeature } from '#core';
import { keepAgentsFromPublishing } from './agent-writes.ts';
import { accessTokens } from './authenticate.ts';
import { MAKE_TOKENS, ownTokenServices } from './own-tokens.ts';
import { accessTokensPanel } from './panel.ts';
import { userTokenServices } from './user-tokens.ts';

/** Personal access tokens, with which programs act in the name of a user (`@access-tokens`). */
export const accessTokensFeature = defineFeature({
  name: 'access-tokens',
  services: [...ownTokenServices, ...userTokenServices],
  authenticators: [accessTokens],
  panels: [accessTokensPanel],
  tables: [
    { name: 'access_token', changes: 'anything', left: 'tokens of the old site must not open the new one' },
    {
      name: 'access_token_use',
      changes: { unread: 'lists of tokens are never kept' },
      left: 'it belongs to the tokens',
    },
  ],
  subscribe: keepAgentsFromPublishing,
  permissions: { [MAKE_TOKENS]: ['Authenticated', 'Manager'] },
});
