import { contentServices } from './content/index.ts';
import { lockServices } from './lock/index.ts';
import { loginServices } from './login/index.ts';
import type { Service } from './service.ts';
import { ServiceRegistry } from './service-registry.ts';
import { upgradeServices } from './upgrade/index.ts';
import { postWorkflow } from './workflow/post-workflow.ts';

/** Every endpoint of the core. Adding one is a folder here and a line below. */
const CORE: Service[] = [...contentServices, ...lockServices, ...loginServices, ...upgradeServices, postWorkflow];

/** A registry with the services of the core; add-ons register theirs with the same call. */
export function coreServices(): ServiceRegistry {
  const registry = new ServiceRegistry();
  for (const service of CORE) registry.register(service);
  return registry;
}
