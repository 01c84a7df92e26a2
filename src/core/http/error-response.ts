import {
  ClientError,
  Conflict,
  MethodNotAllowed,
  NotFound,
  PreconditionFailed,
  RangeNotSatisfiable,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  ValidationFailed,
} from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { ServiceResponse } from '../services/response.ts';

/** Translates a whole message into the language of the reader. */
type Translate = (text: string) => string;

/** Headers of some errors. */
function headersOf(error: ClientError): Record<string, string | number> {
  if (error instanceof MethodNotAllowed && error.allow.length > 0) return { Allow: error.allow.join(', ') };
  if (error instanceof TooManyRequests || error instanceof ServiceUnavailable)
    return { 'Retry-After': Math.ceil(error.retryAfter) };
  if (error instanceof RangeNotSatisfiable) return { 'Content-Range': `bytes */${error.size}` };
  if (error instanceof PreconditionFailed || error instanceof Conflict) return { ...error.headers };
  if (error instanceof Unauthorized) {
    const parameters = Object.entries({ realm: 'Canopy', ...error.challenge });
    return { 'WWW-Authenticate': `Bearer ${parameters.map(([name, value]) => `${name}="${value}"`).join(', ')}` };
  }
  return {};
}

/**
 * The body of an error. `error` is a text for 404 (specification) and an object for all others (plone.restapi's services);
 * `type` and `message` are at the top level of each (plone.rest). The message of a failed validation is a JSON list in a
 * string, which Volto's forms parse; `errors` is the same list for other clients.
 */
function bodyOf(error: ClientError, translate: Translate): JsonObject {
  const message = translate(error.message);
  if (error instanceof NotFound) return { type: error.type, message, error: `Not found: ${error.path}` };
  if (error instanceof ValidationFailed) {
    const translated = new ValidationFailed(
      error.problems.map((problem) => ({ ...problem, message: translate(problem.message) })),
    );
    const errors = translated.problems.map((problem) => ({ ...problem, error: 'ValidationError' }));
    const list = JSON.stringify(errors);
    return {
      type: error.type,
      message: list,
      error: { type: error.type, message: translated.message, errors: translated.problems },
      errors,
    };
  }
  const details = error instanceof Conflict ? error.details : {};
  return { ...details, type: error.type, message, error: { type: error.type, message } };
}

/** The context of the request that failed. */
type Failed = {
  requestId: string;
  /** Puts whole messages into the language of the reader; messages that contain names stay in English. */
  translate?: Translate;
  /** The address of the nearest content that the caller may view, for clients of Plone; null for none. */
  context?: string | null | undefined;
};

/**
 * The response to an error. Only the errors of `lib/errors.ts` say something to clients; any other error is a fault of the server and becomes a 500
 * with the id under which the log has its cause.
 */
export function errorResponse(
  error: unknown,
  { requestId, translate = (text) => text, context }: Failed,
): ServiceResponse {
  if (error instanceof ClientError) {
    const place = {
      ...(context === undefined ? {} : { context }),
      ...(error.part === undefined ? {} : { request: error.part }),
    };
    return { status: error.status, headers: headersOf(error), body: { ...bodyOf(error, translate), ...place } };
  }
  return {
    status: 500,
    body: {
      type: 'InternalServerError',
      message: `Internal server error. The log has the cause under ${requestId}.`,
      request_id: requestId,
    },
  };
}
