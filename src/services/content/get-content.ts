import { VIEW } from '../../security/permissions.ts';
import { readItemOptions } from '../../serializer/item-options.ts';
import { represent } from '../../serializer/representation.ts';
import { defineService, ok } from '../service.ts';
import { ContentObject, RepresentationQuery } from './content-schemas.ts';

/** GET of content: its representation. */
export const getContent = defineService({
  name: '',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The representation of a content object; containers list their children.',
  query: RepresentationQuery,
  responses: { 200: { description: 'The content object.', schema: ContentObject } },
  run: async (call) => ok(await represent(call, call.located, readItemOptions(call.query))),
});
