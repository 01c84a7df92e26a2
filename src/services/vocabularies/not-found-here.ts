import { NotFound } from '../../lib/errors.ts';
import type { RequestContext } from '../service.ts';

/** What a service throws that has nothing under the name behind it in the address. */
export function notFoundHere({ resolved, rest }: RequestContext, service: string): NotFound {
  const { path } = resolved.object;
  return new NotFound([path === '/' ? '' : path, service, ...rest].join('/'));
}
