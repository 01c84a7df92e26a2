import { defineFeature } from '#core';
import { postChat, postGenerate, USE_MODEL } from './endpoints.ts';
import { modelHealth, openLanguageModel } from './language-model.ts';
import { modelPanel } from './panel.ts';

/** Questions to a language model about the content of the site (`@chat`, `@generate`). */
export const aiFeature = defineFeature({
  name: 'ai',
  services: [postChat, postGenerate],
  panels: [modelPanel],
  tables: [
    {
      name: 'model_use',
      changes: { unread: 'it counts requests that are not kept' },
      left: 'it counts questions within an hour',
    },
  ],
  permissions: { [USE_MODEL]: ['Authenticated'] },
  healthChecks: [modelHealth],
  subscribe: openLanguageModel,
});
