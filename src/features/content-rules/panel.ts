import { definePanel, MANAGE_PORTAL } from '#core';

/** The name of the panel of the rules. */
export const PANEL_ID = 'content-rules';

/** The panel in the overview; services of its own serve it. */
export const contentRulesPanel = definePanel({
  id: PANEL_ID,
  title: 'Content Rules',
  group: 'Content',
  permission: MANAGE_PORTAL,
  settings: [],
});
