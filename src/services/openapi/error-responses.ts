import { Type } from 'typebox';
import type { ResponseDescription } from '../service.ts';

const Detail = Type.Object({
  type: Type.String(),
  message: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ field: Type.Optional(Type.String()), message: Type.String() }), {
      description: 'Each value that did not fit, after a failed validation.',
    }),
  ),
});

/** The body of every error, see `http/error-response.ts`. */
export const ErrorBody = Type.Object(
  {
    type: Type.String({ description: 'Name of the error, such as `NotFound`. Programs decide by it.' }),
    message: Type.String({
      description: 'What is wrong, for people. Of a failed validation: the list `errors` as JSON in a string.',
    }),
    error: Type.Optional(
      Type.Union([Type.String({ description: 'For 404: `Not found: ` and the path.' }), Detail], {
        description: 'The same in the shapes that older clients read. Not in 500.',
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.Optional(Type.String({ description: 'Absent for a rule about several fields.' })),
          message: Type.String(),
          error: Type.Literal('ValidationError'),
        }),
        { description: 'Each value that did not fit, after a failed validation.' },
      ),
    ),
    request_id: Type.Optional(Type.String({ description: 'Only in 500: the id under which the log has the cause.' })),
  },
  { $id: 'Error' },
);

/** An error that many services share: its name under `components/responses`, and what it says. */
type SharedError = { name: string } & ResponseDescription;

/** The errors that come from the way of a request, not from one service, by their status. */
export const SHARED_ERRORS: Readonly<Record<number, SharedError>> = {
  400: { name: 'BadRequest', description: 'The address, the query or the body is malformed or breaks a rule.' },
  401: {
    name: 'Unauthorized',
    description: 'Nobody is logged in, or the credentials count no more, and this is not public.',
    headers: { 'WWW-Authenticate': { description: 'How to log in.' } },
  },
  403: { name: 'Forbidden', description: 'The caller is known and may not do this.' },
  404: { name: 'NotFound', description: 'There is nothing at this address.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'What is at this address does not take this method.',
    headers: { Allow: { description: 'The methods that it takes.' } },
  },
  409: { name: 'Conflict', description: 'Another request changed the same thing at the same time. Try again.' },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than this service takes.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON.' },
  429: {
    name: 'TooManyRequests',
    description: 'Too many wrong passwords, or too much work at once.',
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: Type.Integer({ minimum: 0 }) } },
  },
  500: { name: 'InternalServerError', description: 'A fault of the server. The log has its cause under `request_id`.' },
};
