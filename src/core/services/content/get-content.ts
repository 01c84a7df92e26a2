import { Type } from 'typebox';
import { reject } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import { itemOptions, represent } from '../../serializer/representation.ts';
import { defineService } from '../service.ts';
import { mayReadVersions, representVersion, VERSION_PARAMETER } from '../versions.ts';
import { ContentRepresentation } from './content-object.ts';
import { RepresentationQuery } from './content-schemas.ts';

/** GET of content: its representation, with `version` that of a former version. */
export const getContent = defineService({
  name: '',
  method: 'GET',
  cacheable: true,
  ignoresOtherParameters: true,
  context: 'content',
  permission: VIEW,
  summary: 'The representation of a content object; containers list their children.',
  query: Type.Object({ ...RepresentationQuery.properties, ...VERSION_PARAMETER }),
  responses: { 200: { description: 'The content object.', schema: ContentRepresentation } },
  async run(context) {
    const { query, searchParams } = context;
    const { version } = query;
    if (version === undefined) {
      const body = await represent(context, context.resolved, itemOptions(query, searchParams));
      if ('batching' in body) context.repeatsQuery?.();
      return { status: 200, body, changed: context.resolved.object.modified };
    }
    // Old versions may be pruned without a change of the content.
    context.noCache?.();
    if (!mayReadVersions(context)) reject(context.caller);
    const body = await representVersion(context, version);
    return { status: 200, body, changed: new Date(String(body.modified)) };
  },
});
