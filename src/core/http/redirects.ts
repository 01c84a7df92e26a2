import { NotFound } from '../../lib/errors.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { urlOf } from '../serializer/render-context.ts';
import type { ServiceResponse } from '../services/response.ts';
import { findOldAddress } from './find-old-address.ts';
import type { RequestAddress } from './request-address.ts';
import type { PartInWork } from './request-layers.ts';
import { isReading, queryOf } from './wire-request.ts';

/** Redirects a path without an object to the new address (302 for GET, 307 for others). Throws NotFound without a new address. */
export async function redirectToPresent(
  kernel: Kernel,
  request: PartInWork['request'],
  address: RequestAddress,
  caller: Caller,
): Promise<ServiceResponse> {
  const query = queryOf(request);
  const found = await findOldAddress(kernel, caller, address.path, query);
  const segments = [address.service, ...address.rest].filter(Boolean);
  if (!found) throw new NotFound([address.path, ...segments].join('/').replace(/^\/\//, '/'));
  const service = segments.map((segment) => `/${encodeURIComponent(segment).replace(/%40/g, '@')}`).join('');
  const api = address.api ? '/++api++' : '';
  const url = 'url' in found ? found.url : urlOf(address.base + api, found.path);
  return redirectTo(request, url + service, found.withQuery ? '' : query);
}

/** A redirect to another address, with the query of the request unless another one is given. */
export function redirectTo(request: PartInWork['request'], url: string, query = queryOf(request)): ServiceResponse {
  const more = url.includes('?') && query !== '' ? `&${query.slice(1)}` : query;
  return {
    status: isReading(request) ? 302 : 307,
    headers: { Location: url + more },
  };
}
