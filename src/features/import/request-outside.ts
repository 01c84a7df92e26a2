import type { RequestOutside } from '@canopy-server/site-reader';
import { openResponse } from '#lib/http/outgoing-request';

/** Sends requests of readers, with the guard for private networks that all requests to addresses of others have. */
export const requestOutside: RequestOutside = async (url, { headers, signal, isPrivateAllowed }) => {
  const response = await openResponse(url, {
    headers: { 'user-agent': 'Canopy', ...headers },
    ...{ signal, isPrivateAllowed },
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: response,
    close: () => void response.destroy(),
  };
};
