import { Type } from 'typebox';
import { defineService, ok } from '../../../services/service.ts';
import { OVERVIEW } from '../../../site/panel.ts';
import { namedPanel } from './named-panel.ts';
import { panelJson } from './panel-json.ts';
import { PANEL } from './panel-schema.ts';

/** GET `@controlpanels/<panel>`: the form of a panel and its values. */
export const getControlpanel = defineService({
  name: '@controlpanels',
  method: 'GET',
  context: 'site',
  permission: OVERVIEW,
  summary: 'The form of a control panel and its values. Passwords are left empty.',
  rest: ['{panel}'],
  responses: {
    200: {
      description: 'The panel.',
      schema: Type.Object(PANEL),
    },
    404: { description: 'There is no such panel.' },
  },
  run: async (context) => ok(panelJson(context, namedPanel(context))),
});
