import type { Configuration } from 'openid-client';
import type { Kernel } from '../../kernel/kernel.ts';
import { BadGateway } from '../../lib/errors.ts';
import { Slot } from '../../lib/slots.ts';
import type { OpenidSettings } from '../../site/config.ts';

const TIMEOUT_SECONDS = 10;

/** What a process knows of the provider: nothing is loaded before the first login with it, and failures are not cached. */
export class Provider {
  #configuration: Promise<Configuration> | undefined;

  /** The addresses and keys of the provider (OpenID Connect Discovery). Throws BadGateway when it does not respond. */
  async configuration(settings: OpenidSettings): Promise<Configuration> {
    this.#configuration ??= discover(settings);
    try {
      return await this.#configuration;
    } catch (error) {
      this.#configuration = undefined;
      throw new BadGateway(`The provider does not answer: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** The library is loaded when it is used: most sites have no provider. */
export const loadClient = () => import('openid-client');

async function discover({ issuer, clientId, clientSecret }: OpenidSettings): Promise<Configuration> {
  const client = await loadClient();
  const isLocal = new URL(issuer).protocol === 'http:';
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret);
  return client.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: TIMEOUT_SECONDS,
    // The signature of the token counts, also where it came from the provider itself.
    execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
  });
}

/** The provider of a process. */
export const PROVIDER_SLOT = new Slot<Provider>('OpenID provider');

/** The settings of the provider; undefined for sites without one. */
export const openidSettings = ({ config }: Pick<Kernel, 'config'>): OpenidSettings | undefined => config.openid;
