import {
  ClientError,
  MethodNotAllowed,
  NotFound,
  RangeNotSatisfiable,
  TooManyRequests,
  Unauthorized,
  ValidationFailed,
} from '../lib/errors.ts';
import type { JsonObject } from '../lib/json-object.ts';
import type { ServiceResponse } from '../services/service.ts';

type Say = (text: string) => string;

/** Headers that some errors bring. */
function headersOf(error: ClientError): Record<string, string | number> {
  if (error instanceof MethodNotAllowed && error.allow.length > 0) return { Allow: error.allow.join(', ') };
  if (error instanceof TooManyRequests) return { 'Retry-After': Math.ceil(error.retryAfter) };
  if (error instanceof RangeNotSatisfiable) return { 'Content-Range': `bytes */${error.size}` };
  if (error instanceof Unauthorized) return { 'WWW-Authenticate': 'Bearer realm="Canopy"' };
  return {};
}

/**
 * The body of an error. `error` is a text for 404 (specification) and an object for all others
 * (plone.restapi's services); `type` and `message` stand at the top for every one (plone.rest). The message of a failed
 * validation is a JSON list in a string, which Volto's forms read; `errors` is the same list for everybody else.
 */
function bodyOf(error: ClientError, say: Say): JsonObject {
  const spoken = say(error.message);
  if (error instanceof NotFound) return { type: error.type, message: spoken, error: `Not found: ${error.path}` };
  if (error instanceof ValidationFailed) {
    const told = new ValidationFailed(error.problems.map((problem) => ({ ...problem, message: say(problem.message) })));
    const errors = told.problems.map((problem) => ({ ...problem, error: 'ValidationError' }));
    const message = JSON.stringify(errors);
    return {
      type: error.type,
      message,
      error: { type: error.type, message: told.message, errors: told.problems },
      errors,
    };
  }
  return { type: error.type, message: spoken, error: { type: error.type, message: spoken } };
}

/**
 * What a client is told of an error. Only errors of the catalogue speak; anything else is a fault of
 * the server: a bare 500 with the id under which the log has its cause. `say` puts whole messages into the language of
 * the reader; those that name something stay in English.
 */
export function errorResponse(error: unknown, requestId: string, say: Say = (text) => text): ServiceResponse {
  if (error instanceof ClientError)
    return { status: error.status, headers: headersOf(error), body: bodyOf(error, say) };
  return {
    status: 500,
    body: {
      type: 'InternalServerError',
      message: `Internal server error. The log has the cause under ${requestId}.`,
      request_id: requestId,
    },
  };
}
