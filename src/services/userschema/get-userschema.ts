import { Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { registrationSchema } from '../../people/registration-schema.ts';
import { userType } from '../../people/user-type.ts';
import { VIEW } from '../../security/permissions.ts';
import type { Property } from '../../types/definition.ts';
import { defineService, ok } from '../service.ts';
import { fieldSchema } from '../types/type-schema.ts';

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

const propertiesJson = (base: string, properties: Record<string, Property>): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, fieldSchema(base, property)]));

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
  async run({ site, base, rest }) {
    const [form] = rest;
    if (form === undefined) {
      const { fieldsets, properties, required } = userType(site);
      return ok({ type: 'object', fieldsets, properties: propertiesJson(base, properties), required });
    }
    if (form !== 'registration') throw new BadRequest('The only form of users is "registration".');
    const { fields, properties, required } = registrationSchema(site);
    const fieldsets = [{ behavior: 'user', id: 'default', title: 'Default', fields }];
    return ok({ type: 'object', fieldsets, properties: propertiesJson(base, properties), required });
  },
});
