import { Type } from 'typebox';
import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { changeUserSchema } from '../change-user-schema.ts';

/** PATCH `@userschema`: other fields for all users. */
export const patchUserschema = defineService({
  name: '@userschema',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes the fields of users. Full name, e-mail address and portrait stay.',
  body: Type.Object({
    properties: Type.Optional(
      Type.Unknown({
        description: 'Fields by their names, `{title, factory, description?, widget?, choices?}`; null removes one.',
      }),
    ),
    fieldsets: Type.Optional(Type.Unknown({ description: 'List of `{id, title, fields}`, in the order of the form.' })),
    required: Type.Optional(Type.Unknown({ description: 'Names of the fields that may not be empty.' })),
  }),
  responses: { 204: { description: 'Changed.' }, 400: { description: 'A problem for each field.' } },
  async run({ kernel, caller, body }) {
    await changeUserSchema(kernel, { caller, input: body });
    return noContent();
  },
});
