import { definePanel, settings } from '#core';

/** The endpoint for agents: who may use it, and how much. */
export const mcpPanel = definePanel({
  id: 'mcp',
  title: 'Agents',
  group: 'Security',
  settings: [
    settings.flag('visitors', {
      title: 'Agents of visitors may read',
      description: 'Without a token, what visitors see. Otherwise every agent needs a token.',
      default: true,
      record: 'canopy.mcp.visitors',
    }),
    settings.line('resource', {
      title: 'Address of the endpoint',
      description:
        'As access tokens of login providers name it (the audience). Empty: that below the public address of the server (PUBLIC_URL).',
      default: '',
      record: 'canopy.mcp.resource',
      problem: (text) => (URL.canParse(text) ? undefined : 'must be an address that begins with https://'),
    }),
    settings.whole('calls_per_minute', {
      title: 'Calls a minute with one token',
      description: 'Of tools, and of pages that are read as resources.',
      default: 120,
      minimum: 1,
      maximum: 10_000,
      required: true,
      record: 'canopy.mcp.calls_per_minute',
    }),
    settings.whole('visitor_calls_per_minute', {
      title: 'Calls a minute without a token',
      description: 'From one network.',
      default: 30,
      minimum: 1,
      maximum: 10_000,
      required: true,
      record: 'canopy.mcp.visitor_calls_per_minute',
    }),
    settings.whole('result_characters', {
      title: 'Characters of one result',
      description: 'Longer pages are read in pieces.',
      default: 50_000,
      minimum: 1000,
      maximum: 1_000_000,
      required: true,
      record: 'canopy.mcp.result_characters',
    }),
  ],
});
