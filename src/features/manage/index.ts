import { defineFeature } from '#core';
import { getManagePages, loadModules } from './addon-pages.ts';
import { BUILT_PAGE, type BuiltPage, loadBuiltPage } from './built-files.ts';
import { getManage } from './serve.ts';

/** The page for those who run a site, at `/@manage`. `MANAGE_PAGE=off` switches it off. */
export const manageFeature = defineFeature({
  name: 'manage',
  services: [getManage, getManagePages],
  subscribe({ slots, config }) {
    if (!config.managePage) return;
    let loaded: { page: BuiltPage | undefined } | undefined;
    // With the first request: commands do not need it.
    slots.set(BUILT_PAGE, () => {
      loaded ??= { page: loadBuiltPage() };
      return loaded.page;
    });
  },
  async start(kernel) {
    if (kernel.config.managePage) await loadModules(kernel);
    return { close: async () => {} };
  },
});
