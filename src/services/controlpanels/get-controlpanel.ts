import { Type } from 'typebox';
import { OVERVIEW } from '../../site/panel.ts';
import { defineService, ok } from '../service.ts';
import { namedPanel } from './named-panel.ts';
import { panelJson } from './panel-json.ts';

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
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        title: Type.String(),
        group: Type.String(),
        schema: Type.Object(
          {
            fieldsets: Type.Array(
              Type.Object({ id: Type.String(), title: Type.String(), fields: Type.Array(Type.String()) }),
            ),
            properties: Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
            required: Type.Array(Type.String()),
          },
          { additionalProperties: true },
        ),
        data: Type.Object({}, { additionalProperties: true }),
      }),
    },
    404: { description: 'There is no such panel.' },
  },
  run: async (call) => ok(panelJson(call, namedPanel(call))),
});
