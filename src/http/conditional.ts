import { createHash } from 'node:crypto';
import { etagMatches } from '../lib/http-headers.ts';
import type { ServiceResponse } from '../services/service.ts';
import type { CachedResponse } from './response-cache.ts';

/** A JSON answer as bytes, with the headers by which a client can ask whether they are still the same. */
export function tagged({ status, headers, body }: ServiceResponse, isAnonymous: boolean): CachedResponse {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    status,
    bytes,
    contentType: 'application/json',
    headers: {
      'Cache-Control': isAnonymous ? 'no-cache' : 'private, no-cache',
      Vary: 'Authorization, Cookie, Accept-Language',
      ...headers,
      ETag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    },
  };
}

/** The answer, or 304 without it when the client has it already (RFC 9110, 13.1.2). */
export function unlessKnown(response: CachedResponse, ifNoneMatch: string | undefined): ServiceResponse {
  const { headers } = response;
  return etagMatches(ifNoneMatch, String(headers?.ETag)) ? { status: 304, headers: headers ?? {} } : response;
}
