import { hash } from 'node:crypto';
import { jsonBytes } from '../../lib/frozen-json.ts';
import { stateMark } from '../content/base-state.ts';
import type { ServiceResponse } from '../services/response.ts';

/** A whole response in memory. */
export type WholeResponse = ServiceResponse & { bytes: Buffer };

/**
 * The entity tag of a response with these bytes. The tag of content ends in the time of its last change, so that a later write can name the state
 * that it is based on (`stateMark`).
 */
function tagOf(bytes: Buffer, { changed }: Pick<ServiceResponse, 'changed'>): string {
  const digest = hash('sha256', bytes, 'base64url');
  const mark = changed ? stateMark(changed) : '';
  return `"${digest.slice(0, digest.length - mark.length)}${mark}"`;
}

const bytesOf = ({ bytes, body }: ServiceResponse): Buffer => bytes ?? jsonBytes(body);

/** Says if a response comes as it is sent: bytes with an entity tag of their own. The tag of JSON is always made here. */
const isMade = ({ bytes, headers }: ServiceResponse): boolean => bytes !== undefined && headers?.ETag !== undefined;

/** The entity tag that a response to a reading request would have. */
export const entityTagOf = (response: ServiceResponse): string =>
  isMade(response) ? String(response.headers?.ETag) : tagOf(bytesOf(response), response);

/**
 * A response as bytes, with an ETag and the headers that caches need. Bytes with an ETag have these headers already. `varied` are further headers that
 * authenticate.
 */
export function withETag(response: ServiceResponse, isAnonymous: boolean, varied: readonly string[]): WholeResponse {
  const { status, headers, contentType = 'application/json' } = response;
  const bytes = bytesOf(response);
  if (isMade(response)) return { ...response, bytes };
  return {
    status,
    bytes,
    contentType,
    headers: {
      'Cache-Control': isAnonymous ? 'no-cache' : 'private, no-cache',
      Vary: ['Authorization', 'Cookie', 'Accept-Language', ...varied].join(', '),
      ...headers,
      ETag: tagOf(bytes, response),
    },
  };
}
