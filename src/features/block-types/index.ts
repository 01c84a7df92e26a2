import { defineFeature } from '../../services/feature.ts';
import { getBlockType, getBlockTypes } from './endpoints.ts';

/** Which types of blocks the content has, and where (`@blocktypes`). */
export const blockTypesFeature = defineFeature({
  name: 'block-types',
  services: [getBlockTypes, getBlockType],
});
