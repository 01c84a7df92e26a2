import { Type } from 'typebox';
import { BadRequest } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json-object.ts';
import { VIEW } from '../../../security/permissions.ts';
import { defineService, ok, type RequestContext } from '../../../services/service.ts';
import { fieldSchema } from '../../../services/types/type-schema.ts';
import { say } from '../../../site/localized-site.ts';
import type { Site } from '../../../site/site.ts';
import type { Property } from '../../../types/definition.ts';
import { registrationSchema } from '../registration-schema.ts';
import { userType } from '../user-type.ts';

const UserSchema = Type.Object(
  {
    type: Type.Literal('object'),
    fieldsets: Type.Array(
      Type.Object(
        { id: Type.String(), title: Type.String(), fields: Type.Array(Type.String()) },
        { additionalProperties: true },
      ),
    ),
    properties: Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
    required: Type.Array(Type.String()),
  },
  { additionalProperties: true },
);

const propertiesJson = (
  { base, site }: Pick<RequestContext, 'base' | 'site'>,
  properties: Record<string, Property>,
): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      fieldSchema(base, { ...property, title: say(site, property.title) }),
    ]),
  );

/** Fieldsets with their titles in the language of the reader. */
const fieldsetsJson = <T extends { title: string }>(site: Site, fieldsets: readonly T[]): T[] =>
  fieldsets.map((fieldset) => ({ ...fieldset, title: say(site, fieldset.title) }));

/** GET `@userschema`: the fields of users. `@userschema/registration`: the form in which people register. */
export const getUserschema = defineService({
  name: '@userschema',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'The JSON schema of users, or of the form in which they register.',
  rest: ['', '{form}'],
  responses: {
    200: { description: 'The schema.', schema: UserSchema },
    400: { description: 'There is no form but `registration`.' },
  },
  async run(context) {
    const {
      site,
      rest: [form],
    } = context;
    if (form === undefined) {
      const { fieldsets, properties, required } = userType(site);
      return ok({
        type: 'object',
        fieldsets: fieldsetsJson(site, fieldsets),
        properties: propertiesJson(context, properties),
        required,
      });
    }
    if (form !== 'registration') throw new BadRequest('The only form of users is "registration".');
    const { fields, properties, required } = registrationSchema(site);
    const fieldsets = [{ behavior: 'user', id: 'default', title: 'Default', fields }];
    return ok({
      type: 'object',
      fieldsets: fieldsetsJson(site, fieldsets),
      properties: propertiesJson(context, properties),
      required,
    });
  },
});
