import { updateContent } from '../../content/update-content.ts';
import { MODIFY } from '../../security/permissions.ts';
import { defineService, noContent, ok } from '../service.ts';
import { ContentObject, RepresentationQuery, UpdateBody } from './content-schemas.ts';
import {
  basesOf,
  CONTENT_BODY_LIMIT,
  headerOf,
  LOCK_TOKEN,
  prefersRepresentation,
  representPath,
} from './represent-path.ts';

/** PATCH of content: changes what the body names. */
export const patchContent = defineService({
  name: '',
  method: 'PATCH',
  context: 'content',
  permission: MODIFY,
  summary: 'Changes some fields of a content object, its id, or the order of its children.',
  headers: {
    ...LOCK_TOKEN,
    Prefer: { description: '`return=representation` for the changed content object in the answer.' },
  },
  query: RepresentationQuery,
  body: UpdateBody,
  bodyLimit: CONTENT_BODY_LIMIT,
  responses: {
    200: {
      description: 'The changed content object, for the header Prefer: return=representation.',
      schema: ContentObject,
    },
    204: { description: 'Changed.' },
  },
  async run(call) {
    const { kernel, caller, located, body, finding } = call;
    const path = await updateContent(
      kernel,
      { caller, path: located.object.path, input: body, bases: basesOf(call), lockToken: headerOf(call, 'lock-token') },
      finding,
    );
    return prefersRepresentation(call) ? ok(await representPath(call, path)) : noContent();
  },
});
