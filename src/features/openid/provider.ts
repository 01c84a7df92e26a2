import type { Configuration } from 'openid-client';
import type { Kernel } from '../../kernel/kernel.ts';
import { Slot } from '../../lib/slots.ts';
import type { LoginProvider } from '../../site/login-provider.ts';
import { unavailable } from './providers.ts';

const TIMEOUT_SECONDS = 10;

type Known = { provider: LoginProvider; configuration: Promise<Configuration> };

/** What a process knows of its providers: nothing is loaded before the first login with one, and failures are not cached. */
export class ProviderClients {
  readonly #known = new Map<string, Known>();

  /**
   * The addresses and keys of a provider (OpenID Connect Discovery).
   * @throws ServiceUnavailable when it does not respond, or not as a provider does
   */
  async configuration({ log }: Pick<Kernel, 'log'>, provider: LoginProvider): Promise<Configuration> {
    const cached = this.#known.get(provider.id);
    const known =
      cached && isSame(cached.provider, provider) ? cached : { provider, configuration: discover(provider) };
    this.#known.set(provider.id, known);
    try {
      return await known.configuration;
    } catch (error) {
      if (this.#known.get(provider.id) === known) this.#known.delete(provider.id);
      log.warn({ err: error, provider: provider.id }, 'a provider does not respond');
      throw unavailable(provider);
    }
  }
}

/** Whether the client of a provider serves another state of its settings, too. */
const isSame = (one: LoginProvider, other: LoginProvider): boolean =>
  one.issuer === other.issuer && one.clientId === other.clientId && one.clientSecret === other.clientSecret;

/** The library is loaded when it is used: most sites have no provider. */
export const loadClient = () => import('openid-client');

async function discover({ issuer, clientId, clientSecret }: LoginProvider): Promise<Configuration> {
  const client = await loadClient();
  const isLocal = new URL(issuer).protocol === 'http:';
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret);
  return client.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: TIMEOUT_SECONDS,
    // The signature of the token counts, also where it came from the provider itself.
    execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
  });
}

/** Whether a request failed because the provider is not there, and not because of what it says. */
export function isDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.cause instanceof Response) return error.cause.status >= 500;
  if ('code' in error && error.code === 'OAUTH_TIMEOUT') return true;
  return (error instanceof TypeError && error.message === 'fetch failed') || isDown(error.cause);
}

/** The clients of a process. */
export const PROVIDER_CLIENTS = new Slot<ProviderClients>('clients of OpenID providers');
