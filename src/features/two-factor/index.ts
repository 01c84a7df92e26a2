import { defineFeature } from '../../services/feature.ts';
import { totpFactor } from './check-code.ts';
import { totpServices } from './endpoints.ts';

/** Codes of an authenticator app as a second factor of logins (`@totp`). */
export const twoFactorFeature = defineFeature({
  name: 'two-factor',
  services: totpServices,
  secondFactors: [totpFactor],
});
