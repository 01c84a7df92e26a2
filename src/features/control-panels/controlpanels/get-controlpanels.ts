import { Type } from 'typebox';
import { defineService, ok } from '../../../services/service.ts';
import { OVERVIEW } from '../../../site/panel.ts';
import { panelEntry } from './panel-json.ts';

/** GET `@controlpanels`: the control panels. */
export const getControlpanels = defineService({
  name: '@controlpanels',
  method: 'GET',
  context: 'site',
  permission: OVERVIEW,
  summary: 'Lists the control panels.',
  responses: {
    200: {
      description: 'The panels, by group.',
      schema: Type.Array(
        Type.Object({
          '@id': Type.String({ format: 'uri' }),
          title: Type.String(),
          group: Type.String(),
          searchable_text: Type.Array(Type.String(), { description: 'Words that a search box finds it by.' }),
        }),
      ),
    },
  },
  run: async ({ kernel, site, base }) => ok(kernel.panels.all().map((panel) => panelEntry(panel, site, base))),
});
