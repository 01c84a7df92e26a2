import type { JsonObject } from '../../../lib/json-object.ts';
import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, type RequestContext, type Service, type ServiceResponse } from '../../../services/service.ts';
import { createType } from '../type-panel.ts';
import { NewType, PanelType } from './panel-schema.ts';
import { namedType, typeAddress, typeJson } from './type-json.ts';

const declared: Pick<Service, 'name' | 'tag' | 'method' | 'context' | 'permission' | 'body' | 'responses'> = {
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  body: NewType,
  responses: {
    201: {
      description: 'The new type.',
      schema: PanelType,
      headers: { Location: { description: 'Its address in the panel.' } },
    },
    400: { description: 'A problem for each setting, or the id is taken.' },
  },
};

async function create({ kernel, caller, base }: RequestContext, input: JsonObject): Promise<ServiceResponse> {
  const id = await createType(kernel, { caller, input });
  const site = await kernel.sites.current();
  return {
    status: 201,
    headers: { Location: typeAddress(base, id).replaceAll(' ', '%20') },
    body: typeJson({ site, base }, namedType({ site, rest: ['dexterity-types', id] })),
  };
}

/** POST `@controlpanels/dexterity-types`: makes a content type. */
export const postTypes = defineService({
  ...declared,
  summary: 'Makes a content type. It has a title and the usual metadata, and can contain others.',
  rest: ['dexterity-types'],
  run: (context) => create(context, context.body),
});

/** POST `@controlpanels/dexterity-types/<type>`: makes a content type of this id (Volto). */
export const postType = defineService({
  ...declared,
  summary: 'Makes a content type with the id of the address.',
  rest: ['dexterity-types/{type}'],
  run: (context) => create(context, { ...context.body, id: context.rest[1] }),
});
