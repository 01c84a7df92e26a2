import { defineFeature } from '#core';
import { explanationServices } from './endpoint.ts';
import { tableServices } from './table-endpoints.ts';

/** The reason why users may do what they may (`@explain-access`). */
export const explainAccessFeature = defineFeature({
  name: 'explain-access',
  services: [...explanationServices, ...tableServices],
});
