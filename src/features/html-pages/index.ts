import { defineFeature, pages } from '#core';
import { getAsset } from './assets.ts';
import { pagesOf } from './respond.ts';

/** Pages for browsers, to read the site without a front end. `HTML_PAGES=off` switches them off. */
export const htmlPagesFeature = defineFeature({
  name: 'html-pages',
  services: [getAsset],
  subscribe(kernel) {
    if (kernel.config.htmlPages) kernel.slots.set(pages.SLOT, pagesOf(kernel));
  },
});
