import type { JsonObject } from '../../lib/json-object.ts';
import type { Service } from '../service.ts';
import { headerParameters, pathParameters, queryParameters } from './parameters.ts';
import { type NamedSchemas, publishSchema, requiredOf } from './publish-schema.ts';
import { asksNobody, responsesOf } from './responses.ts';

const MEBIBYTE = 1024 * 1024;

/** The group of a service: its folder. */
export const tagOf = ({ tag, name }: Service): string =>
  tag ?? (name.replace(/^@+/, '').replaceAll('_', '-') || 'content');

/**
 * Which credentials an operation takes: none where nobody is asked, optional ones where Anonymous may call it too
 * (private content below needs them), required ones elsewhere. A service without a permission that says it answers
 * 401 asks for them by itself.
 */
function securityOf(service: Service, open: boolean): JsonObject[] {
  if (asksNobody(service)) return [];
  const required = service.permission === null ? service.responses[401] !== undefined : !open;
  return [...(required ? [] : [{}]), { basic: [] }, { bearer: [] }];
}

function requestBody({ body, bodyLimit = MEBIBYTE }: Service, named: NamedSchemas): JsonObject | undefined {
  if (!body) return undefined;
  return {
    description: `A JSON object, at most ${Math.round((bodyLimit / MEBIBYTE) * 100) / 100} MiB.`,
    required: requiredOf(body).length > 0,
    content: { 'application/json': { schema: publishSchema(body, named) } },
  };
}

/** A service at one of its addresses, as OpenAPI describes it. `open` says whether Anonymous has its permission. */
export function operationOf(
  service: Service,
  { template, operationId, open }: { template: string; operationId: string; open: boolean },
  named: NamedSchemas,
): JsonObject {
  const { permission, context } = service;
  const notes = [
    ...(context === 'folderish' ? ['Only on containers.'] : []),
    ...(permission === null ? [] : [`Needs the permission "${permission}".`]),
  ];
  const parameters = [
    ...pathParameters(service, template, named),
    ...queryParameters(service, named),
    ...headerParameters(service, named),
  ];
  const body = requestBody(service, named);
  return {
    operationId,
    tags: [tagOf(service)],
    summary: service.summary,
    ...(notes.length > 0 ? { description: notes.join(' ') } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(service, template, named),
    security: securityOf(service, open),
  };
}
