import { defineFeature } from '#core';
import { postReplace } from './endpoints.ts';

/** Search and replace in the texts of many objects (`@replace`). */
export const replaceFeature = defineFeature({
  name: 'replace',
  services: [postReplace],
});
