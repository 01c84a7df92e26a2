import { Type } from 'typebox';
import { copyContent } from '../content/copy-content.ts';
import { moveContent } from '../content/move-content.ts';
import { has } from '../content/permissions.ts';
import { type Relocated, sourceReferences } from '../content/relocate.ts';
import { ADD, VIEW } from '../security/permissions.ts';
import { urlOf } from '../serializer/render-context.ts';
import { basesOf, headerOf, LOCK_TOKEN } from './content/represent-path.ts';
import { ok } from './response.ts';
import { defineService, type RequestContext, type Service } from './service.ts';

/** Maximum number of sources of one request; each source costs statements of its own. */
const MAX_SOURCES = 1000;

/** A UID, a path, or an address with its scheme: the forms that a source may have. */
const SOURCE_FORM = /^(?:[\w-]{1,64}$|\/|https?:\/\/|(?:\.\.\/)*resolveuid\/)/i;

const NO_SOURCE = "Property 'source' is required";

/** One source or a list of them; `run` gets a list. */
const Sources = Type.Decode(
  Type.Refine(
    Type.Refine(
      Type.Refine(
        Type.Union([Type.String(), Type.Array(Type.String())], {
          description: `Address, path or UID of content, or a list of up to ${MAX_SOURCES} of them.`,
          reject: { required: NO_SOURCE, other: '"source" must be an address, a path or a UID, or a list of them.' },
        }),
        (source) => source.length > 0,
        () => NO_SOURCE,
      ),
      (source) => typeof source === 'string' || source.length <= MAX_SOURCES,
      () => `"source" may name ${MAX_SOURCES} objects at most.`,
    ),
    (source) => [source].flat().every((one) => SOURCE_FORM.test(one)),
  ),
  (source) => [source].flat(),
);

/** The body of `@copy` and `@move`. */
const RelocationBody = Type.Object(
  { source: Sources },
  { examples: [{ source: '/news/article' }, { source: ['/news/article', '/news/other'] }] },
);

/** Response of both services: one entry for each existing source. */
const RelocationResponse = Type.Array(
  Type.Object({
    source: Type.String({ format: 'uri', description: 'Address before.' }),
    target: Type.String({ format: 'uri', description: 'Address in the container.' }),
  }),
);

/** Says if the caller may add to the container and view it (plone.restapi §7, `@copy`). */
const mayAddHere = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, ADD) && has(site, caller, resolved, VIEW);

/** The entries of a response, with addresses. */
const relocationJson = (
  { base }: Pick<RequestContext, 'base'>,
  entries: readonly Relocated[],
): { source: string; target: string }[] =>
  entries.map(({ source, target }) => ({ source: urlOf(base, source), target: urlOf(base, target) }));

/** POST `@copy` to a container: copies content into it. */
const postCopy = defineService({
  name: '@copy',
  method: 'POST',
  scope: 'write',
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
      sources: sourceReferences(context.body.source, basesOf(context, headerOf(context, 'host'))),
    });
    return ok(relocationJson(context, copied));
  },
});

/** POST `@move` to a container: moves content into it. */
const postMove = defineService({
  name: '@move',
  method: 'POST',
  scope: 'write',
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
      sources: sourceReferences(context.body.source, basesOf(context, headerOf(context, 'host'))),
      lockToken: headerOf(context, 'lock-token'),
    });
    return ok(relocationJson(context, moved));
  },
});

export const relocationServices: Service[] = [postCopy, postMove];
