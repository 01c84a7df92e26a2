import { createContent } from '../../content/create-content.ts';
import { has } from '../../content/permissions.ts';
import { ADD, VIEW } from '../../security/permissions.ts';
import { defineService } from '../service.ts';
import { ContentObject } from './content-object.ts';
import { CreateBody, RepresentationQuery } from './content-schemas.ts';
import { creationForm } from './form-input.ts';
import { basesOf, CONTENT_BODY_LIMIT, representPath } from './represent-path.ts';

/** POST to a container: creates content in it. */
export const postContent = defineService({
  name: '',
  method: 'POST',
  context: 'folderish',
  permission: ADD,
  checkPermission: ({ site, caller, resolved }) =>
    has(site, caller, resolved, ADD) && (caller.id === null || has(site, caller, resolved, VIEW)),
  summary: 'Creates content in a container. The id is made from the title unless it is given.',
  query: RepresentationQuery,
  body: CreateBody,
  bodyLimit: CONTENT_BODY_LIMIT,
  fromForm: creationForm,
  responses: {
    201: {
      description: 'The new content object.',
      schema: ContentObject,
      headers: { Location: { description: 'Address of the new content object.' } },
    },
  },
  async run(context) {
    const path = await createContent(
      context.kernel,
      { caller: context.caller, container: context.resolved.object.path, input: context.body, bases: basesOf(context) },
      context.lookup,
    );
    const body = await representPath(context, path);
    return { status: 201, headers: { Location: String(body['@id']) }, body };
  },
});
