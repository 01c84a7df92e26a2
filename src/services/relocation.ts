import { Type } from 'typebox';
import { copyContent } from '../content/copy-content.ts';
import { moveContent } from '../content/move-content.ts';
import { has } from '../content/permissions.ts';
import { parseSources, type Relocated } from '../content/relocate.ts';
import { ADD, VIEW } from '../security/permissions.ts';
import { urlOf } from '../serializer/render-context.ts';
import { headerOf, LOCK_TOKEN } from './content/represent-path.ts';
import { documented } from './openapi/schemas.ts';
import { defineService, ok, type RequestContext, type Service } from './service.ts';

const Source = Type.String({ description: 'Address, path or UID of content.' });

/** The body of `@copy` and `@move`. */
const RelocationBody = Type.Object(
  { source: Type.Optional(documented(Type.Union([Source, Type.Array(Source)]), { required: true })) },
  { additionalProperties: true, examples: [{ source: '/news/article' }, { source: ['/news/article', '/news/other'] }] },
);

/** What both answer: one entry for each source that there is. */
const RelocationResponse = Type.Array(
  Type.Object({
    source: Type.String({ format: 'uri', description: 'Address before.' }),
    target: Type.String({ format: 'uri', description: 'Address in the container.' }),
  }),
);

/** Whether the caller may add to the container, and see it (plone.restapi §7, `@copy`). */
const mayAddHere = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, ADD) && has(site, caller, resolved, VIEW);

/** Addresses of the site root that a source may begin with: as the client sees it, and as this server does. */
export function sourceBases(context: RequestContext): string[] {
  const { base, kernel } = context;
  const host = headerOf(context, 'host');
  return [
    base,
    ...(kernel.config.publicUrl ? [kernel.config.publicUrl] : []),
    ...(host === undefined ? [] : [`http://${host}`, `https://${host}`]),
  ];
}

/** The entries of an answer, with addresses. */
const relocationJson = (
  { base }: RequestContext,
  entries: readonly Relocated[],
): { source: string; target: string }[] =>
  entries.map(({ source, target }) => ({ source: urlOf(base, source), target: urlOf(base, target) }));

/** POST `@copy` to a container: copies content into it. */
const postCopy = defineService({
  name: '@copy',
  method: 'POST',
  context: 'folderish',
  permission: ADD,
  checkPermission: mayAddHere,
  summary: 'Copies content with everything below it into the container. Sources that do not exist are passed over.',
  body: RelocationBody,
  responses: { 200: { description: 'Where each copy is.', schema: RelocationResponse } },
  async run(context) {
    const copied = await copyContent(context.kernel, {
      caller: context.caller,
      target: context.resolved.object.path,
      sources: parseSources(context.body.source, sourceBases(context)),
    });
    return ok(relocationJson(context, copied));
  },
});

/** POST `@move` to a container: moves content into it. */
const postMove = defineService({
  name: '@move',
  method: 'POST',
  context: 'folderish',
  permission: ADD,
  checkPermission: mayAddHere,
  summary: 'Moves content with everything below it into the container. Old addresses redirect to the new ones.',
  headers: LOCK_TOKEN,
  body: RelocationBody,
  responses: { 200: { description: 'Where each object is now.', schema: RelocationResponse } },
  async run(context) {
    const moved = await moveContent(context.kernel, {
      caller: context.caller,
      target: context.resolved.object.path,
      sources: parseSources(context.body.source, sourceBases(context)),
      lockToken: headerOf(context, 'lock-token'),
    });
    return ok(relocationJson(context, moved));
  },
});

export const relocationServices: Service[] = [postCopy, postMove];
