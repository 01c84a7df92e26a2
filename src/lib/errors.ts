/**
 * The error catalogue: every error that a client may cause, with its status and its type. Domain code throws one of these; only
 * `core/http/error-response.ts` maps them to responses. Any other error is a fault of the server: a bare 500 for the client, with its cause in the
 * log.
 */

/** One field that did not pass validation. `field` is absent for an invariant over several fields. */
export type FieldProblem = { field?: string; message: string };

/** Base of all errors that the client may see. */
export class ClientError extends Error {
  readonly status: number;
  readonly type: string;
  /** The number of the rejected request, if it is one of several. */
  part: number | undefined;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.name = type;
    this.status = status;
    this.type = type;
  }
}

/** 400: the request is malformed or breaks a rule; the message says what to do. */
export class BadRequest extends ClientError {
  constructor(message: string, type = 'BadRequest') {
    super(400, type, message);
  }
}

/** Maximum number of problems in a response, because a body may have a problem for each of its values. */
const MAX_PROBLEMS = 50;
/** Maximum number of characters of a field's name in a response, because the name usually comes from the client. */
const MAX_FIELD_LENGTH = 250;
const MORE_PROBLEMS = 'There are more problems than these.';

/** The first problems, and a last one that says that there are more. */
function firstProblems(problems: readonly FieldProblem[]): FieldProblem[] {
  const first = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) =>
      problem.field === undefined
        ? problem
        : { ...problem, field: problem.field.slice(0, MAX_FIELD_LENGTH).toWellFormed() },
    );
  return problems.length > MAX_PROBLEMS ? [...first, { message: MORE_PROBLEMS }] : first;
}

/** 400: values that do not fit the schema; `problems` names each field, of the first 50. */
export class ValidationFailed extends ClientError {
  readonly problems: FieldProblem[];

  constructor(problems: readonly FieldProblem[], type = 'BadRequest') {
    const first = firstProblems(problems);
    super(400, type, first.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; '));
    this.problems = first;
  }
}

/** 401: nobody is logged in and the resource is not public. */
export class Unauthorized extends ClientError {
  /** Parameters of the challenge beside its realm (RFC 6750), plain texts without quotation marks. */
  readonly challenge: Readonly<Record<string, string>>;

  constructor(
    message = 'You are not authorized to access this resource.',
    type = 'Unauthorized',
    challenge: Readonly<Record<string, string>> = {},
  ) {
    super(401, type, message);
    this.challenge = challenge;
  }
}

/** 403: the caller is known and may not do this. */
export class Forbidden extends ClientError {
  constructor(message = 'You are not authorized to access this resource.') {
    super(403, 'Forbidden', message);
  }
}

/** 404: nothing is at this path, or nothing that the caller may view. */
export class NotFound extends ClientError {
  readonly path: string;

  constructor(path: string, message = `Resource not found: ${path}`) {
    super(404, 'NotFound', message);
    this.path = path;
  }
}

/** 405: the resource exists but does not take this method. `allow` lists its methods. */
export class MethodNotAllowed extends ClientError {
  readonly allow: string[];

  constructor(message: string, allow: string[] = []) {
    super(405, 'MethodNotAllowed', message);
    this.allow = allow;
  }
}

/** 406: the header `Accept` allows no form that the address has. */
export class NotAcceptable extends ClientError {
  constructor() {
    super(406, 'NotAcceptable', 'There is no Markdown at this address. Allow other media types as well, such as */*.');
  }
}

/** 409: another request changed the same thing at the same time. `headers` describe the present state, `details` are further members of the body. */
export class Conflict extends ClientError {
  readonly headers: Readonly<Record<string, string>>;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    headers: Readonly<Record<string, string>> = {},
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(409, 'Conflict', message);
    this.headers = headers;
    this.details = details;
  }
}

/** 410: the state that the client refers to no longer exists; the message says how to begin anew. */
export class Gone extends ClientError {
  constructor(message: string, type = 'Gone') {
    super(410, type, message);
  }
}

/** 412: a condition of the request is not met; `headers` describe the protocol or the state of the resource. */
export class PreconditionFailed extends ClientError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, headers: Readonly<Record<string, string>>) {
    super(412, 'PreconditionFailed', message);
    this.headers = headers;
  }
}

/** 408: the body came too slowly, or not at all. */
export class RequestTimeout extends ClientError {
  constructor() {
    super(408, 'RequestTimeout', 'The body of the request came too slowly. Send it again.');
  }
}

/** 413: the body has more than the limit of this service, in bytes or in values. */
export class PayloadTooLarge extends ClientError {
  constructor(limit: number, unit: 'bytes' | 'values' = 'bytes') {
    super(413, 'PayloadTooLarge', `The body is larger than the limit of ${limit} ${unit}.`);
  }
}

/** 415: the body has a media type that this service does not read. */
export class UnsupportedMediaType extends ClientError {
  constructor(mediaType: string) {
    super(415, 'UnsupportedMediaType', `Bodies of type ${mediaType} are not read here; send application/json.`);
  }
}

/** 416: the range lies outside the file of `size` bytes. */
export class RangeNotSatisfiable extends ClientError {
  readonly size: number;

  constructor(size: number) {
    super(416, 'RangeNotSatisfiable', `The range lies outside the file of ${size} bytes.`);
    this.size = size;
  }
}

/** 422: the key by which the write can be sent again was used for another request. */
export class IdempotencyKeyReused extends ClientError {
  constructor(message: string) {
    super(422, 'IdempotencyKeyReused', message);
  }
}

/** 460: the received bytes do not fit the checksum of the request (tus 1.0, checksum). */
export class ChecksumMismatch extends ClientError {
  constructor() {
    super(460, 'ChecksumMismatch', 'The checksum does not fit the bytes that came. Send them again.');
  }
}

/** 429: too many failures; `retryAfter` is in seconds. */
export class TooManyRequests extends ClientError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(429, 'TooManyRequests', message);
    this.retryAfter = retryAfter;
  }
}

/** 502: a service that the response needs failed, or returned an invalid response. */
export class BadGateway extends ClientError {
  constructor(message: string) {
    super(502, 'BadGateway', message);
  }
}

/** 503: the server, or a service that it needs, cannot do this now, but soon; `retryAfter` is in seconds. */
export class ServiceUnavailable extends ClientError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(503, 'ServiceUnavailable', message);
    this.retryAfter = retryAfter;
  }
}

/** 504: a service that the response needs took too long. */
export class GatewayTimeout extends ClientError {
  constructor(message: string) {
    super(504, 'GatewayTimeout', message);
  }
}

/** 507: there is no space for the data of the client; nothing of them is stored. */
export class InsufficientStorage extends ClientError {
  constructor(message: string) {
    super(507, 'InsufficientStorage', message);
  }
}

/** The message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
