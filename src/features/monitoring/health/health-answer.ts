import type { ServiceResponse } from '../../../services/service.ts';
import type { Kernel } from '../../../site/kernel.ts';
import { readHealth } from './read-health.ts';

/** The media type of health checks (draft-inadarei-api-health-check). */
export const HEALTH_JSON = 'application/health+json';

/**
 * The answer about the health of this process: 503 takes it out of service at a load balancer. It needs no more than the
 * kernel, and so is there when the database is not. `base` is the address of the site root; `details` are for managers.
 */
export async function healthResponse(
  kernel: Kernel,
  base: string,
  details: { details: boolean },
): Promise<ServiceResponse> {
  const health = await readHealth(kernel, details);
  return {
    status: health.status === 'fail' ? 503 : 200,
    headers: { 'Cache-Control': 'no-store' },
    contentType: HEALTH_JSON,
    body: { '@id': `${base}/@health`, ...health },
  };
}
