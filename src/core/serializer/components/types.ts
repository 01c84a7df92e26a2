import { type Static, Type } from 'typebox';
import { Unauthorized } from '../../../lib/errors.ts';
import { mayAdd } from '../../content/permissions.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import { defineComponent } from '../components.ts';
import type { RenderContext } from '../render-context.ts';
import { chainOf } from './chain.ts';

/** Address of a type. Spaces are not encoded, because clients of Plone take the name of the type from the address. */
const typeUrl = (base: string, id: string): string => `${base}/@types/${encodeURIComponent(id).replaceAll('%20', ' ')}`;

const AddableTypes = Type.Array(
  Type.Object({
    '@id': Type.String({ description: 'Its address. Spaces stay as they are, as clients know it.' }),
    id: Type.String(),
    title: Type.String(),
    addable: Type.Boolean({ description: 'The caller may add content of it here.' }),
    immediately_addable: Type.Boolean(),
  }),
);

/** All types except that of the site root, by title, and whether the caller may add them to the object. */
function addableTypes({ site, base, caller }: RenderContext, resolved: ResolvedNode): Static<typeof AddableTypes> {
  const rootType = chainOf(resolved).at(-1)?.type;
  const preferred = resolved.object.constrains?.immediately_addable;
  return [...site.types.values()]
    .filter(({ id }) => id !== rootType)
    .sort((a, b) => a.title.localeCompare(b.title, 'en') || a.id.localeCompare(b.id, 'en'))
    .map((type) => {
      const addable = mayAdd(site, caller, resolved, type);
      return {
        '@id': typeUrl(base, type.id),
        id: type.id,
        title: type.title,
        addable,
        immediately_addable: addable && (preferred?.includes(type.id) ?? true),
      };
    });
}

/** The types that may be added to the object (plone.restapi §7, `@types`). */
export const types = defineComponent({
  name: 'types',
  schema: AddableTypes,
  mayExpand: ({ caller }) => caller.id !== null,
  async expand(context, resolved) {
    // Types are listed only for users who are logged in (plone.restapi, T01).
    if (context.caller.id === null) throw new Unauthorized();
    return addableTypes(context, resolved);
  },
});
