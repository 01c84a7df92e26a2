import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import type { Relocated } from '../../content/relocate-sources.ts';
import { ADD, VIEW } from '../../security/permissions.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { headerOf } from '../content/represent-path.ts';
import { documented } from '../openapi/documented.ts';
import type { Call } from '../service.ts';

const Source = Type.String({ description: 'Address, path or UID of content.' });

/** The body of `@copy` and `@move`. */
export const RelocationBody = Type.Object(
  { source: Type.Optional(documented(Type.Union([Source, Type.Array(Source)]), { required: true })) },
  { additionalProperties: true, examples: [{ source: '/news/article' }, { source: ['/news/article', '/news/other'] }] },
);

/** What both answer: one entry for each source that there is. */
export const RelocationAnswer = Type.Array(
  Type.Object({
    source: Type.String({ format: 'uri', description: 'Address before.' }),
    target: Type.String({ format: 'uri', description: 'Address in the container.' }),
  }),
);

/** Whether the caller may add to the container, and see it (plone.restapi §7, `@copy`). */
export const mayAddHere = ({ site, caller, located }: Call): boolean =>
  has(site, caller, located, ADD) && has(site, caller, located, VIEW);

/** Addresses of the site root that a source may begin with: as the client sees it, and as this server does. */
export function sourceBases(call: Call): string[] {
  const { base, kernel } = call;
  const host = headerOf(call, 'host');
  return [
    base,
    ...(kernel.settings.publicUrl ? [kernel.settings.publicUrl] : []),
    ...(host === undefined ? [] : [`http://${host}`, `https://${host}`]),
  ];
}

/** The entries of an answer, with addresses. */
export const relocationJson = ({ base }: Call, entries: readonly Relocated[]): { source: string; target: string }[] =>
  entries.map(({ source, target }) => ({ source: urlOf(base, source), target: urlOf(base, target) }));
