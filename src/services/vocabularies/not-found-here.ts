import { NotFound } from '../../lib/errors.ts';
import type { Call } from '../service.ts';

/** What a service throws that has nothing under the name behind it in the address. */
export function notFoundHere({ located, rest }: Call, service: string): NotFound {
  const { path } = located.object;
  return new NotFound([path === '/' ? '' : path, service, ...rest].join('/'));
}
