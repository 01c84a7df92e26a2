import { prefersRepresentation } from '../../../lib/http/http-headers.ts';
import { updateContent } from '../../content/update-content.ts';
import { MODIFY } from '../../security/permissions.ts';
import { noContent, ok } from '../response.ts';
import { defineService } from '../service.ts';
import { ContentRepresentation } from './content-object.ts';
import { RepresentationQuery, UpdateBody } from './content-schemas.ts';
import { changeForm } from './form-input.ts';
import {
  basesOf,
  CONTENT_BODY_LIMIT,
  expectedChange,
  headerOf,
  LOCK_TOKEN,
  representWritten,
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
    Prefer: { description: '`return=representation` for the changed content object in the response.' },
  },
  query: RepresentationQuery,
  body: UpdateBody,
  bodyLimit: CONTENT_BODY_LIMIT,
  fromForm: changeForm,
  responses: {
    200: {
      description: 'The changed content object, for the header Prefer: return=representation.',
      schema: ContentRepresentation,
    },
    204: { description: 'Changed.' },
  },
  async run(context) {
    const { kernel, caller, resolved, body, lookup } = context;
    const path = await updateContent(
      kernel,
      {
        caller,
        path: resolved.object.path,
        input: body,
        ordering: body.ordering,
        sort: body.sort,
        bases: basesOf(context),
        lockToken: headerOf(context, 'lock-token'),
        expected: expectedChange(context),
      },
      { before: lookup },
    );
    if (!prefersRepresentation(headerOf(context, 'prefer'))) return noContent();
    const changed = await representWritten(context, { path, uid: resolved.object.uid });
    return changed ? ok(changed) : noContent();
  },
});
