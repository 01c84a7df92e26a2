import { defineFeature } from '../../services/feature.ts';
import { openidOptions, openidServices } from './endpoints.ts';
import { linkedAccountServices } from './linked-accounts.ts';
import { logoutOpenid } from './logout.ts';
import { PROVIDER_SLOT, Provider } from './provider.ts';

/** Logging in with an OpenID provider (`@login-openid`). */
export const openidFeature = defineFeature({
  name: 'openid',
  services: [...openidServices, logoutOpenid, ...linkedAccountServices],
  loginOptions: [openidOptions],
  tables: [{ name: 'provider_account', key: ['issuer', 'subject'] }],
  subscribe(kernel) {
    kernel.slots.set(PROVIDER_SLOT, new Provider());
  },
});
