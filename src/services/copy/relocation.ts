import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import type { Relocated } from '../../content/relocate.ts';
import { ADD, VIEW } from '../../security/permissions.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { headerOf } from '../content/represent-path.ts';
import { documented } from '../openapi/documented.ts';
import type { RequestContext } from '../service.ts';

const Source = Type.String({ description: 'Address, path or UID of content.' });

/** The body of `@copy` and `@move`. */
export const RelocationBody = Type.Object(
  { source: Type.Optional(documented(Type.Union([Source, Type.Array(Source)]), { required: true })) },
  { additionalProperties: true, examples: [{ source: '/news/article' }, { source: ['/news/article', '/news/other'] }] },
);

/** What both answer: one entry for each source that there is. */
export const RelocationResponse = Type.Array(
  Type.Object({
    source: Type.String({ format: 'uri', description: 'Address before.' }),
    target: Type.String({ format: 'uri', description: 'Address in the container.' }),
  }),
);

/** Whether the caller may add to the container, and see it (plone.restapi §7, `@copy`). */
export const mayAddHere = ({ site, caller, resolved }: RequestContext): boolean =>
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
export const relocationJson = (
  { base }: RequestContext,
  entries: readonly Relocated[],
): { source: string; target: string }[] =>
  entries.map(({ source, target }) => ({ source: urlOf(base, source), target: urlOf(base, target) }));
