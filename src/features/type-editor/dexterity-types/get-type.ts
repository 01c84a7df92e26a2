import { defineService, ok } from '../../../services/service.ts';
import { OVERVIEW } from '../../../site/panel.ts';
import { PanelType } from './panel-schema.ts';
import { namedType, typeJson } from './type-json.ts';

/** GET `@controlpanels/dexterity-types/<type>`: the form of a content type and its values. */
export const getType = defineService({
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'GET',
  context: 'site',
  permission: OVERVIEW,
  summary: 'The form of a content type and its values: each behavior of the site is a switch.',
  rest: ['dexterity-types/{type}'],
  responses: {
    200: { description: 'The type.', schema: PanelType },
    404: { description: 'There is no such type.' },
  },
  // The values are as they are stored, not in the reader's language: clients send them back.
  run: async (context) => ok(typeJson(context, namedType({ ...context, site: context.lookup.site }))),
});
