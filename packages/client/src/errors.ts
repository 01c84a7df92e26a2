/** A field that the server rejected. `field` is absent for a rule about several fields. */
export type FieldProblem = { field?: string; message: string };

/** The parts of a failed response. */
export type Failure = {
  status: number;
  type: string;
  message: string;
  problems: FieldProblem[];
  /** Id by which the log of the server has the cause. */
  requestId: string | undefined;
  /** The body, parsed if it is JSON. */
  body: unknown;
  /** Milliseconds after which the server accepts the request again. */
  retryAfterMs: number | undefined;
};

/** Base of all errors of this client, except that an aborted request throws the reason of its signal. */
export class CanopyError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server could not be reached, or the connection ended before the end of the response. `cause` has the error of `fetch`. */
export class ConnectionError extends CanopyError {}

/** The content has moved, and the request asked not to follow: `path` is its present path on the site. */
export class MovedError extends CanopyError {
  readonly path: string;

  constructor(path: string) {
    super(`The content has moved to ${path}`);
    this.path = path;
  }
}

/** The server rejected the request or failed. */
export class ResponseError extends CanopyError {
  readonly status: number;
  /** The kind of the error, such as `NotFound`: programs decide by it, people read the message. */
  readonly type: string;
  readonly problems: readonly FieldProblem[];
  readonly requestId: string | undefined;
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;

  constructor({ message, status, type, problems, requestId, body, retryAfterMs }: Failure) {
    super(message);
    this.status = status;
    this.type = type;
    this.problems = problems;
    this.requestId = requestId;
    this.body = body;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 400: the request breaks a rule; `problems` has each invalid field. */
export class BadRequestError extends ResponseError {}
/** 401: nobody is logged in, or the credentials are wrong. */
export class UnauthorizedError extends ResponseError {}
/** 403: the caller may not do this, or somebody else has locked the content. */
export class ForbiddenError extends ResponseError {}
/** 404: there is nothing at the path, or nothing that the caller may see. */
export class NotFoundError extends ResponseError {}
/** 409: another request changed the same data at the same time. */
export class ConflictError extends ResponseError {}
/** 412: the content was changed since it was loaded. Load it again, then repeat the change. */
export class ChangedError extends ResponseError {}
/** 429: too many requests or wrong passwords; `retryAfterMs` says when to try again. */
export class TooManyRequestsError extends ResponseError {}
/** 500 and above: a fault of the server, or no room for the request at the moment. */
export class ServerError extends ResponseError {}

const CLASSES: Record<number, typeof ResponseError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: ChangedError,
  429: TooManyRequestsError,
};

/** Returns the error of a failed response. */
export function errorOf(failure: Failure): ResponseError {
  const Kind = CLASSES[failure.status] ?? (failure.status >= 500 ? ServerError : ResponseError);
  return new Kind(failure);
}

/** The error of a path that names no content, such as that of a service. No request is sent for such a path. */
export const noContentAt = (path: string): NotFoundError =>
  new NotFoundError({
    ...{ status: 404, type: 'NotFound', message: `No content can have the path ${path}`, problems: [] },
    ...{ requestId: undefined, body: undefined, retryAfterMs: undefined },
  });
