import { defineFeature } from '#core';
import { fillEmbeddings } from './embeddings.ts';
import { getRelated, related } from './related.ts';

/** Similar content (`@related`), by embeddings if a model is configured. */
export const relatedFeature = defineFeature({
  name: 'related',
  services: [getRelated],
  components: [related],
  tables: [
    {
      name: 'embedding',
      changes: 'anything',
      left: 'it is made anew of the content by the language model of the new site',
    },
  ],
  subscribe: fillEmbeddings,
});
