import { NotFound } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json-object.ts';
import type { RequestContext } from '../../../services/service.ts';
import { fieldSchema } from '../../../services/types/type-schema.ts';
import type { ContentType } from '../../../types/content-type.ts';
import { TYPE_SETTINGS, typeForm, typeValues } from '../type-settings.ts';

/** The address of a type in the panel. Spaces stay as they are, as clients know it (Nick, plone.restapi). */
export const typeAddress = (base: string, id: string): string =>
  `${base}/@controlpanels/dexterity-types/${encodeURIComponent(id).replaceAll('%20', ' ')}`;

/** A type that the address names, as the site has it now. Throws NotFound for none. */
export function namedType({ site, rest: [, id = ''] }: Pick<RequestContext, 'site' | 'rest'>): ContentType {
  const type = site.types.get(id);
  if (!type) throw new NotFound(`/@controlpanels/dexterity-types/${id}`);
  return type;
}

/** A type in the panel: its form and its values (Nick and plone.restapi, `@controlpanels/dexterity-types/<type>`). */
export function typeJson({ site, base }: Pick<RequestContext, 'site' | 'base'>, type: ContentType): JsonObject {
  const { properties, behaviors } = typeForm(site);
  return {
    '@id': typeAddress(base, type.id),
    title: type.title,
    description: type.description ?? '',
    group: 'Content',
    schema: {
      type: 'object',
      fieldsets: [
        { id: 'default', title: 'Default', fields: TYPE_SETTINGS },
        { id: 'behaviors', title: 'Behaviors', fields: behaviors },
      ],
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, fieldSchema(base, property)]),
      ),
      required: ['title'],
    },
    data: typeValues(site, type),
    items: [],
  };
}
