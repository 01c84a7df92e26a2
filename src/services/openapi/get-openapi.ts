import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { ANONYMOUS, type Caller } from '../../security/caller.ts';
import { defineService, ok, type RequestContext, type Service } from '../service.ts';
import { describeServices } from './describe-services.ts';

/** Whether a caller has the permission of a service at the object of the call. Each permission is looked up once. */
function mayUse({ site, resolved }: RequestContext, caller: Caller): (service: Service) => boolean {
  const known = new Map<string, boolean>();
  return ({ permission }) => {
    if (permission === null) return true;
    const allowed = known.get(permission) ?? has(site, caller, resolved, permission);
    known.set(permission, allowed);
    return allowed;
  };
}

/** GET `@openapi`: the description of the API for this caller. */
export const getOpenapi = defineService({
  name: '@openapi',
  method: 'GET',
  context: 'site',
  permission: null,
  summary: 'Describes the services that the caller may use, as an OpenAPI 3.1 document.',
  responses: {
    200: {
      description: 'The document.',
      schema: Type.Object(
        {
          openapi: Type.String(),
          info: Type.Object({ title: Type.String(), version: Type.String() }, { additionalProperties: true }),
          servers: Type.Array(Type.Object({ url: Type.String({ format: 'uri' }) }, { additionalProperties: true })),
          paths: Type.Object({}, { additionalProperties: true }),
          components: Type.Object({}, { additionalProperties: true }),
        },
        { additionalProperties: true },
      ),
    },
  },
  run: async (context) => {
    const document = describeServices(context.services, mayUse(context, context.caller), mayUse(context, ANONYMOUS));
    return ok({ ...document, servers: [{ url: context.base }] });
  },
});
