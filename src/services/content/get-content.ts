import { Type } from 'typebox';
import { refuse } from '../../content/permissions.ts';
import { requestedVersion } from '../../content/version-number.ts';
import { VIEW } from '../../security/permissions.ts';
import { readItemOptions } from '../../serializer/item-options.ts';
import { represent } from '../../serializer/representation.ts';
import { mayReadVersions } from '../history/may-read-versions.ts';
import { representVersion } from '../history/represent-version.ts';
import { VERSION_PARAMETER } from '../history/version-parameter.ts';
import { defineService, ok } from '../service.ts';
import { ContentObject, RepresentationQuery } from './content-schemas.ts';

/** GET of content: its representation, with `version` that of a former version. */
export const getContent = defineService({
  name: '',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The representation of a content object; containers list their children.',
  query: Type.Object({ ...RepresentationQuery.properties, ...VERSION_PARAMETER }),
  responses: { 200: { description: 'The content object.', schema: ContentObject } },
  async run(call) {
    const version = requestedVersion(call.query);
    if (version === undefined) return ok(await represent(call, call.located, readItemOptions(call.query)));
    // Old versions may be pruned without a change of the content.
    call.changesWithTime?.();
    if (!mayReadVersions(call)) refuse(call.caller);
    return ok(await representVersion(call, version));
  },
});
