import { type StaticDecode, Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import type { AnyContent } from '../../serializer/content-shapes.ts';
import { itemOptions, represent } from '../../serializer/representation.ts';
import { defineService, type RequestContext } from '../service.ts';
import { representVersion, requireVersionAccess, VERSION_PARAMETER } from '../versions.ts';
import { ContentRepresentation } from './content-object.ts';
import { RepresentationQuery } from './content-schemas.ts';

/** The query of a request for the representation of content. */
export const ContentQuery = Type.Object({ ...RepresentationQuery.properties, ...VERSION_PARAMETER });

type ContentRequest = RequestContext<object, StaticDecode<typeof ContentQuery>, object>;

/**
 * The requested representation, with the children that the query names; with `version` that of a former version. Throws Unauthorized or Forbidden for
 * callers who may not read versions, NotFound for versions that do not exist.
 */
export async function requestedContent(context: ContentRequest): Promise<AnyContent> {
  const { query, searchParams } = context;
  if (query.version === undefined) {
    const content = await represent(context, context.resolved, itemOptions(query, searchParams));
    if ('batching' in content) context.repeatsQuery?.();
    return content;
  }
  requireVersionAccess(context);
  return representVersion(context, query.version);
}

/** GET of content: its representation, or with `version` the representation of a former version. */
export const getContent = defineService({
  name: '',
  method: 'GET',
  cacheable: true,
  ignoresOtherParameters: true,
  context: 'content',
  permission: VIEW,
  summary: 'The representation of a content object; containers list their children.',
  query: ContentQuery,
  responses: {
    200: { description: 'The content object.', schema: ContentRepresentation },
    404: { description: 'There is nothing at this address, or no such version.' },
  },
  async run(context) {
    const body = await requestedContent(context);
    return { status: 200, body, changed: new Date(body.modified) };
  },
});
