import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { joinColumns } from '../../content/column-values.ts';
import { ACCESS_VERSIONS } from '../../content/history-permissions.ts';
import { LAYOUT } from '../../content/version-located.ts';
import { NotFound } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { renderObject } from '../../serializer/object.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { loadTargets, uidsOf } from '../../serializer/targets.ts';
import { defineService, ok } from '../../services/service.ts';
import { withFilesAt } from '../../services/versions/file-addresses.ts';
import { mayReadVersions } from '../../services/versions/may-read-versions.ts';
import { requireVersion } from '../../services/versions/need-version.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { ContentType } from '../../types/content-type.ts';

/** What two versions may differ in: the fields of the type, and the layout. */
const namesOf = (type: ContentType | undefined): { name: string; title: string }[] => [
  ...(type?.fields ?? []).map(({ name, title }) => ({ name, title })).filter(({ name }) => name !== 'id'),
  { name: LAYOUT, title: 'Layout' },
];

/** A version: what is stored, and what the caller is served of it. */
type Side = { stored: JsonObject; served: JsonObject };

/** The values that differ, as they are served: what the caller may not read is in neither. Files differ by their bytes, which are not served. */
function changes(type: ContentType | undefined, from: Side, to: Side): JsonObject[] {
  const differs = (name: string, kind: keyof Side) =>
    !isDeepStrictEqual(from[kind][name] ?? null, to[kind][name] ?? null);
  return namesOf(type)
    .filter(({ name }) => differs(name, 'stored') && differs(name, 'served'))
    .map(({ name, title }) => ({ name, title, from: from.served[name] ?? null, to: to.served[name] ?? null }));
}

/** GET `@history/<from>/diff/<to>`: what differs between two versions. */
export const getHistoryDiff = defineService({
  name: '@history',
  method: 'GET',
  context: 'content',
  permission: ACCESS_VERSIONS,
  checkPermission: mayReadVersions,
  summary: 'The fields in which two versions differ, with both values.',
  rest: ['{from}/diff/{to}'],
  responses: {
    200: {
      description: 'The differences.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        from: Type.Integer(),
        to: Type.Integer(),
        items: Type.Array(
          Type.Object({ name: Type.String(), title: Type.String(), from: Type.Unknown(), to: Type.Unknown() }),
        ),
      }),
    },
  },
  async run(context) {
    const { site, base, resolved, rest } = context;
    const [from = '', word, to = ''] = rest;
    if (word !== 'diff') throw new NotFound(`${resolved.object.path}/@history/${rest.join('/')}`);
    const [before, after] = [await requireVersion(context, from), await requireVersion(context, to)];
    const targets = await loadTargets(context, uidsOf(context, [before.object, after.object]));
    const type = site.types.get(resolved.object.type);
    const side = (then: ResolvedNode, version: string): Side => {
      const values = renderObject({ ...context, metadataFields: [] }, then, targets);
      return {
        stored: { ...joinColumns(then.object), [LAYOUT]: values.layout },
        served: withFilesAt(context.kernel.fieldKinds, type, values, Number(version)),
      };
    };
    return ok({
      '@id': `${urlOf(base, resolved.object.path)}/@history/${Number(from)}/diff/${Number(to)}`,
      from: Number(from),
      to: Number(to),
      items: changes(type, side(before, from), side(after, to)),
    });
  },
});
