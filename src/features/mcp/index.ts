import { defineFeature } from '#core';
import { postMcp } from './endpoint.ts';
import { mcpPanel } from './panel.ts';
import { providerTokens } from './provider-tokens.ts';
import { getResource } from './resource.ts';

/** The endpoint for agents (`@mcp`): tools that make requests of the API in the name of the caller. */
export const mcpFeature = defineFeature({
  name: 'mcp',
  services: [postMcp, getResource],
  authenticators: [providerTokens],
  panels: [mcpPanel],
});
