import { Type } from 'typebox';
import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, ok } from '../../../services/service.ts';
import { fieldSchema } from '../../../services/types/type-schema.ts';
import { say, titledIn } from '../../../site/localized-site.ts';

const Action = Type.Object({
  '@schema': Type.Object(
    {
      type: Type.Literal('object'),
      fieldsets: Type.Array(Type.Object({}, { additionalProperties: true })),
      properties: Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
      required: Type.Array(Type.String()),
    },
    { description: 'JSON schema of the params, as `@types` has those of content.' },
  ),
  addview: Type.String({ description: 'What to send as `action`.' }),
  title: Type.String(),
  description: Type.String(),
});

/** GET `@scheduled-job-actions`: what scheduled jobs can do. */
export const getScheduledJobActions = defineService({
  name: '@scheduled-job-actions',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  tag: 'scheduled-jobs',
  summary: 'Lists what scheduled jobs can do, with the params of each.',
  responses: { 200: { description: 'The actions.', schema: Type.Array(Action) } },
  run: async ({ kernel, site, base }) =>
    ok(
      kernel.jobActions.all().map(({ name, title, description, schema }) => ({
        '@schema': {
          type: 'object',
          fieldsets: schema.fieldsets.map((fieldset) => ({ ...fieldset, title: say(site, fieldset.title) })),
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([field, property]) => [
              field,
              fieldSchema(base, titledIn(site, property)),
            ]),
          ),
          required: schema.required,
        },
        addview: name,
        title: say(site, title),
        description: say(site, description),
      })),
    ),
});
