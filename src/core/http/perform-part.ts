import { BadRequest } from '../../lib/errors.ts';
import { locate } from '../content/locate.ts';
import { editorsToken } from '../content/locking.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { RequestContext, RequestPart } from '../services/service.ts';
import { aloneReason } from '../services/shared-writes.ts';
import { wantsDryRun } from './dry-run/wanted.ts';
import { requireWellFormed } from './preconditions.ts';
import { redirectToPresent } from './redirects.ts';
import { requestAddress } from './request-address.ts';
import { requestBody } from './request-body.ts';
import { contextOf, requireConditions } from './request-context.ts';
import type { PartInWork } from './request-layers.ts';
import { wireRequestOf } from './request-part.ts';
import { authorise, dispatch, requireWithinLimits } from './requested-service.ts';

type PartOptions = Omit<NonNullable<Parameters<NonNullable<RequestContext['performPart']>>[1]>, 'within'>;

/**
 * Does a request that is a part of another request, in the transaction of that other request and in the name of the caller of the context, by the
 * steps of an ordinary request. Throws the errors of an ordinary request, and BadRequest if it cannot be a part.
 */
export async function performPart(
  work: PartInWork,
  { kernel, auth, services, authentication }: Pick<RequestContext, 'kernel' | 'auth' | 'services' | 'authentication'>,
  part: RequestPart,
  { admit, passesLocks = false }: PartOptions = {},
): Promise<ServiceResponse> {
  const request = { ...work.request, ...wireRequestOf(work, part) };
  requireWellFormed(request);
  const address = requestAddress(request.target, {
    ...{ scheme: request.scheme, host: request.host, publicUrl: kernel.config.publicUrl },
    trusted: request.fromTrustedProxy,
  });
  const inWork = { ...work, request, address };
  const lookup = await locate(kernel, address.path);
  const { site, resolved } = lookup;
  if (!resolved) return redirectToPresent(kernel, request, address, authentication.caller);
  const token = passesLocks ? editorsToken(resolved.object) : undefined;
  if (token !== undefined) request.headers = { ...request.headers, 'lock-token': token };
  const service = dispatch(services, request.method, address, { site, resolved });
  if (service.together === true) throw new BadRequest('What does several requests cannot be in another batch.');
  if (service.method !== 'GET' && wantsDryRun(request))
    throw new BadRequest('Rehearse the batch as a whole: dry_run is a parameter of its own address.');
  const reason = aloneReason(service);
  if (reason !== undefined) throw new BadRequest(`This is not possible in a batch. ${reason}`);
  const context = contextOf(service, inWork, { kernel, auth, services, authentication, lookup, resolved });
  requireWithinLimits(service, context);
  await admit?.(service, context);
  await authorise(service, context);
  if (service.method !== 'GET') {
    await requireConditions(inWork, context);
    context.body = await requestBody(service, request, context);
  }
  return service.run(context);
}
