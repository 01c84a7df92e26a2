import { defineFeature } from '../../services/feature.ts';
import { openidOptions, openidServices } from './endpoints.ts';
import { linkedAccountServices } from './linked-accounts.ts';
import { logoutOpenid } from './logout.ts';
import { providerServices } from './panel.ts';
import { PROVIDER_CLIENTS, ProviderClients } from './provider.ts';
import { placeOfSecret } from './providers.ts';

/** Logging in with OpenID providers (`@login-openid`, `@controlpanels/login-providers`). */
export const openidFeature = defineFeature({
  name: 'openid',
  services: [...openidServices, logoutOpenid, ...linkedAccountServices, ...providerServices],
  loginOptions: [openidOptions],
  tables: [
    { name: 'provider_account', key: ['issuer', 'subject'] },
    {
      name: 'login_provider_secret',
      key: ['provider'],
      sealed: { secret: ({ provider }) => placeOfSecret(String(provider)) },
    },
    { name: 'spent_login', left: 'logins that are under way end on the old site' },
  ],
  subscribe(kernel) {
    kernel.slots.set(PROVIDER_CLIENTS, new ProviderClients());
  },
});
