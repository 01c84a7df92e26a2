import { defineFeature } from '../../services/feature.ts';
import { fillEmbeddings } from './embeddings.ts';
import { related } from './related.ts';
import { relatedServices } from './services.ts';

/** Content that is like other content (`@related`), by embeddings where a model is configured. */
export const relatedFeature = defineFeature({
  name: 'related',
  services: relatedServices,
  components: [related],
  subscribe: fillEmbeddings,
});
