import { defineFeature } from '#core';
import { openidOptions, openidServices } from './endpoints.ts';
import { linkedAccountServices } from './linked-accounts.ts';
import { logoutOpenid } from './logout.ts';
import { providerServices } from './panel.ts';
import { PROVIDER_CLIENTS, ProviderClients, providerHealth } from './provider.ts';
import { placeOfSecret } from './providers.ts';

/** Logging in with OpenID providers (`@login-openid`, `@controlpanels/login-providers`). */
export const openidFeature = defineFeature({
  name: 'openid',
  services: [...openidServices, logoutOpenid, ...linkedAccountServices, ...providerServices],
  loginOptions: [openidOptions],
  healthChecks: [providerHealth],
  tables: [
    {
      name: 'provider_account',
      changes: { unread: 'accounts with providers are never kept' },
      key: ['issuer', 'subject'],
    },
    {
      name: 'login_provider_secret',
      changes: { unread: 'no response with a provider is kept' },
      key: ['provider'],
      sealed: { secret: ({ provider }) => placeOfSecret(String(provider)) },
    },
    {
      name: 'spent_login',
      changes: { unread: 'logins are never kept' },
      left: 'logins that are under way end on the old site',
    },
  ],
  subscribe(kernel) {
    kernel.slots.set(PROVIDER_CLIENTS, new ProviderClients());
  },
});
