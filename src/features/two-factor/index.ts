import { defineFeature } from '#core';
import { placeOf, totpFactor } from './check-code.ts';
import { totpServices } from './endpoints.ts';

/** Codes of an authenticator app as a second factor of logins (`@totp`). */
export const twoFactorFeature = defineFeature({
  name: 'two-factor',
  services: totpServices,
  secondFactors: [totpFactor],
  tables: [
    {
      name: 'totp',
      changes: { unread: 'second factors are in no response' },
      key: ['account'],
      sealed: { secret: ({ account }) => placeOf(String(account)) },
    },
  ],
});
