import { definePanel, settings } from '#core';

/** The maximum lifetime of personal access tokens. */
export const accessTokensPanel = definePanel({
  id: 'access-tokens',
  title: 'Access tokens',
  group: 'Security',
  settings: [
    settings.whole('default_days', {
      title: 'Days that a token is good',
      description: 'Where its user does not say.',
      default: 90,
      minimum: 1,
      maximum: 3650,
      required: true,
      record: 'canopy.access_tokens.default_days',
    }),
    settings.whole('max_days', {
      title: 'Most days that a token is good',
      description: 'Tokens that users have already stay as they are. 0 for no limit: tokens may be good for ever.',
      default: 366,
      minimum: 0,
      maximum: 3650,
      required: true,
      record: 'canopy.access_tokens.max_days',
    }),
  ],
});
