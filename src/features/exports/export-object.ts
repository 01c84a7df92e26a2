import { type Static, Type } from 'typebox';
import { type RenderContext, type ResolvedNode, representation, schemas } from '#core';

/** Keys that an export has under another name or not at all, even if a schema has a field of that name. */
const NOT_EXPORTED = new Set([
  'id',
  'UID',
  '@id',
  '@type',
  '@components',
  'items',
  'lock',
  'is_folderish',
  'review_state',
]);

/** An export of content. Its further members are the fields of its type. */
export const Export = schemas.Extensible({
  title: Type.Optional(Type.String()),
  created: Type.String({ format: 'date-time' }),
  modified: Type.String({ format: 'date-time' }),
  effective: schemas.Nullable(Type.String({ format: 'date-time' })),
  owner: schemas.Nullable(Type.String()),
  layout: Type.String(),
  type: Type.String(),
  uuid: Type.String(),
  workflow_state: schemas.Nullable(Type.String()),
});

/**
 * The export representation (specification, Export representation): the values of the schema's fields that the caller may read, as they are served,
 * and the object's own members, without members of the API only. One SQL statement, for the targets of references.
 */
export async function exportObject(context: RenderContext, resolved: ResolvedNode): Promise<Static<typeof Export>> {
  const { object } = resolved;
  const targets = await representation.loadTargets(context, representation.uidsOf(context, [object]));
  const served = representation.render({ ...context, metadataFields: [] }, resolved, targets);
  const type = context.site.types.get(object.type);
  const names = type ? type.fields.map(({ name }) => name) : Object.keys(object.fields);
  const exportedValue = (name: string): unknown => {
    const field = type?.fieldByName.get(name);
    const exported = field && context.kernel.fieldKinds.of(field).exported;
    return exported && served[name] !== null ? exported(served[name], field) : served[name];
  };
  const exported = names.filter((name) => Object.hasOwn(served, name) && !NOT_EXPORTED.has(name));
  return {
    ...Object.fromEntries(exported.map((name) => [name, exportedValue(name)])),
    created: served.created,
    modified: served.modified,
    effective: object.effective?.toISOString() ?? null,
    owner: served.owner,
    layout: served.layout,
    type: object.type,
    uuid: object.uid,
    workflow_state: object.reviewState,
  };
}
