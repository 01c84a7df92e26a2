import { Type } from 'typebox';
import { type Created, createContent } from '../../content/create-content.ts';
import { has } from '../../content/permissions.ts';
import { nameOf } from '../../content/tree-path.ts';
import { ADD, VIEW } from '../../security/permissions.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { created } from '../response.ts';
import { Address } from '../schemas.ts';
import { defineService, type RequestContext } from '../service.ts';
import { ContentRepresentation } from './content-object.ts';
import { CreateBody, RepresentationQuery } from './content-schemas.ts';
import { creationForm } from './form-input.ts';
import { basesOf, CONTENT_BODY_LIMIT, representWritten } from './represent-path.ts';

/** New content that a consequence of its creation has already removed. */
const RemovedContent = Type.Object(
  { '@id': Address, '@type': Type.String(), id: Type.String(), UID: Type.String() },
  { additionalProperties: false, description: 'What was created was removed at once, by a content rule of the site.' },
);

/** Response for content that was removed in the transaction of its creation. */
const removedAtOnce = ({ base, body }: Pick<RequestContext, 'base' | 'body'>, { path, uid }: Created) => ({
  '@id': urlOf(base, path),
  '@type': String(body['@type']),
  id: nameOf(path),
  UID: uid,
});

/** POST to a container: creates content in it. */
export const postContent = defineService({
  name: '',
  method: 'POST',
  scope: 'write',
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
      schema: Type.Union([ContentRepresentation, RemovedContent]),
      headers: { Location: { description: 'Address of the new content object.' } },
    },
  },
  async run(context) {
    const made = await createContent(
      context.kernel,
      { caller: context.caller, container: context.resolved.object.path, input: context.body, bases: basesOf(context) },
      { before: context.lookup },
    );
    const body = (await representWritten(context, made)) ?? removedAtOnce(context, made);
    return created(body, { Location: body['@id'] });
  },
});
