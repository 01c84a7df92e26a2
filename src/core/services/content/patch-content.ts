import { Type } from 'typebox';
import { prefersRepresentation } from '../../../lib/http/http-headers.ts';
import { updateContent } from '../../content/update-content.ts';
import { MODIFY } from '../../security/permissions.ts';
import { noContent, ok } from '../response.ts';
import { defineService } from '../service.ts';
import { ContentRepresentation } from './content-object.ts';
import { RepresentationQuery, UpdateBody } from './content-schemas.ts';
import { changeForm } from './form-input.ts';
import { BASE_PARAMETER, CONFLICT_PARAMETER, ContentConflict, withConflicts } from './merge-conflict.ts';
import {
  basesOf,
  CONTENT_BODY_LIMIT,
  expectedChange,
  headerOf,
  LOCK_TOKEN,
  representWritten,
} from './represent-path.ts';

/** PATCH of content: changes the members that the body names. */
export const patchContent = defineService({
  name: '',
  method: 'PATCH',
  scope: 'write',
  context: 'content',
  permission: MODIFY,
  summary: 'Changes some fields of a content object, its id, or the order of its children.',
  headers: {
    ...LOCK_TOKEN,
    Prefer: { description: '`return=representation` for the changed content object in the response.' },
  },
  query: Type.Object({ ...RepresentationQuery.properties, ...BASE_PARAMETER, ...CONFLICT_PARAMETER }),
  body: UpdateBody,
  bodyLimit: CONTENT_BODY_LIMIT,
  fromForm: changeForm,
  responses: {
    200: {
      description: 'The changed content object, for the header Prefer: return=representation.',
      schema: ContentRepresentation,
    },
    204: { description: 'Changed.' },
    409: {
      description:
        'Others have changed the same since the state that `base` names, or that state is no longer kept. Nothing is changed.',
      schema: ContentConflict,
    },
  },
  async run(context) {
    const { kernel, caller, resolved, body, lookup, query } = context;
    const { base, on_conflict: prefer } = query;
    const change = {
      caller,
      path: resolved.object.path,
      input: body,
      ordering: body.ordering,
      sort: body.sort,
      bases: basesOf(context),
      lockToken: headerOf(context, 'lock-token'),
      expected: expectedChange(context),
      merge: base && { base, prefer },
    };
    const path = await withConflicts(context, () => updateContent(kernel, change, { before: lookup }));
    if (!prefersRepresentation(headerOf(context, 'prefer'))) return noContent();
    const changed = await representWritten(context, { path, uid: resolved.object.uid });
    return changed ? ok(changed) : noContent();
  },
});
