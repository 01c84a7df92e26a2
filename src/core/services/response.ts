import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';

/** Response of a service: JSON as `body`, or text, bytes or a stream with its media type. */
export type ServiceResponse = {
  status: number;
  headers?: Record<string, string | number | string[]>;
  body?: unknown;
  text?: string;
  bytes?: Buffer;
  stream?: Readable;
  /** The last change of the represented content, for its entity tag. */
  changed?: Date;
  /** Media type of the response; `application/json` for `body`. */
  contentType?: string;
};

/** A header that a service reads or sends, for its description. Text unless `schema` says otherwise. */
export type HeaderDescription = { description: string; schema?: TSchema };

/** A response of the service, for its description. */
export type ResponseDescription = {
  description: string;
  schema?: TSchema;
  contentType?: string;
  /** Media type of the text or the bytes that clients may ask for instead of the JSON of `schema`. */
  otherType?: string;
  headers?: Record<string, HeaderDescription>;
};

/** The responses of a service by their statuses. */
export type ResponseDescriptions = Record<number, ResponseDescription>;

/** Headers of a response. */
export type Headers = Record<string, string | number | string[]>;
/** The members of a result that no schema types. */
type Around<Status extends number> = { status: Status; headers?: Headers; contentType?: string; changed?: Date };
/** No body. */
type Nothing = { body?: never; text?: never; bytes?: never; stream?: never };
/** Text or bytes. */
type Raw = { text: string } | { bytes: Buffer } | { stream: Readable };

/** A result of one status: JSON of its schema, bytes of its media type, or nothing. Errors without a schema are thrown. */
type ResultOfStatus<Status extends number, Description> = Description extends { schema: infer Schema extends TSchema }
  ? Around<Status> &
      (
        | (TSchema extends Schema ? never : { body: Static<Schema> })
        | (Description extends { otherType: string } ? Raw : never)
      )
  : Description extends { contentType: string }
    ? Around<Status> & Raw
    : `${Status}` extends `${4 | 5}${string}`
      ? never
      : Omit<Around<Status>, 'contentType'> & Nothing;

/** The results that `run` of a service may return: one of the statuses that it declares, with a body of its schema. */
export type ResultOf<Responses extends ResponseDescriptions> = {
  [Status in keyof Responses & number]: ResultOfStatus<Status, Responses[Status]>;
}[keyof Responses & number];

/** The body that a service declares for a status, if the type of the service is known. */
type BodyAt<Result, Status> = Result extends { status: Status; body: infer Body } ? Body : never;

/** A body of exactly the declared type, so that the compiler also finds extra members; any body when no declaration is known yet. */
type GivenBody<Result, Status, Given> = [BodyAt<Result, Status>] extends [never]
  ? Given
  : NoInfer<BodyAt<Result, Status>>;

/** The declared result of a status; when no declaration is known yet, the given result, which the compiler then compares with the declaration. */
type JsonResult<Result, Status, Given> = [BodyAt<Result, Status>] extends [never]
  ? { status: Status; headers: Headers; body: Given }
  : Extract<Result, { status: Status; body: unknown }>;

/** A function that returns JSON with one status. */
type Respond<Status extends number> = <Result, Given>(
  body: GivenBody<Result, Status, Given>,
  headers?: Headers,
) => JsonResult<Result, Status, Given>;

function jsonWith<Status extends number>(status: Status): Respond<Status>;
function jsonWith(status: number) {
  return (body: unknown, headers: Headers = {}): ServiceResponse => ({ status, headers, body });
}

/** 200 with JSON: `ok(body)`, or `ok(body, headers)`. */
export const ok: Respond<200> = jsonWith(200);

/** 201 with JSON: `created(body)`, or `created(body, headers)`. */
export const created: Respond<201> = jsonWith(201);

/** 204: done, without a body. */
export const noContent = (headers: Headers = {}): { status: 204; headers: Headers } => ({ status: 204, headers });
