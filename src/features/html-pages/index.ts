import { defineFeature, negotiation } from '#core';
import { getAsset } from './assets.ts';

/** Pages for browsers, to read the site without a front end. `HTML_PAGES=off` switches them off. */
export const htmlPagesFeature = defineFeature({
  name: 'html-pages',
  services: [getAsset],
  subscribe(kernel) {
    if (!kernel.config.htmlPages) return;
    kernel.slots.set(negotiation.PAGES, {
      // Loaded for the first browser, because many sites have other front ends.
      async respond(request, ask) {
        const { pagesOf } = await import('./respond.ts');
        return pagesOf(kernel).respond(request, ask);
      },
    });
  },
});
