import { defineFeature } from '#core';
import { explanationServices } from './endpoint.ts';
import { tableServices } from './table-endpoints.ts';

/** Explains the access of users (`@explain-access`). */
export const explainAccessFeature = defineFeature({
  name: 'explain-access',
  services: [...explanationServices, ...tableServices],
});
