import { Type } from 'typebox';
import { NotFound } from '../../lib/errors.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import { booleanParameter } from '../../serializer/item-options.ts';
import { defineService, ok } from '../../services/service.ts';
import { AddonSchema, addonEntry, addonList } from './addon-json.ts';

/** GET `@addons`: what can be installed, and what is. */
export const getAddons = defineService({
  name: '@addons',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Lists the add-ons by title, installed or not.',
  query: Type.Object({
    upgradeable: Type.Optional(Type.Boolean({ description: 'Only those with a newer version than is installed.' })),
  }),
  responses: {
    200: {
      description: 'The add-ons.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        items: Type.Array(AddonSchema),
        items_total: Type.Integer(),
      }),
    },
  },
  async run(context) {
    const only = booleanParameter(context.searchParams, 'upgradeable', false);
    const items = addonList(context).filter(
      ({ upgrade_info: info }) => !only || (isJsonObject(info) && info.available === true),
    );
    return ok({ '@id': `${context.base}/@addons`, items, items_total: items.length });
  },
});

/** GET `@addons/<id>`: one add-on. */
export const getAddon = defineService({
  name: '@addons',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'One add-on: its version, whether it is installed, and whether there is a newer one.',
  rest: ['{id}'],
  responses: {
    200: { description: 'The add-on.', schema: AddonSchema },
    404: { description: 'There is no such add-on.' },
  },
  async run(context) {
    const [id = ''] = context.rest;
    const addon = addonEntry(context, id);
    if (!addon) throw new NotFound(`/@addons/${id}`);
    return ok(addon);
  },
});
