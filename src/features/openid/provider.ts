import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import type { HealthCheck, Kernel, loginProvider } from '#core';
import type { ServiceUnavailable } from '#lib/errors';
import { fetchPublic } from '#lib/http/outgoing-request';
import { OutsideFailure, OutsideService } from '#lib/http/outside-service';
import { Slot } from '#lib/slots';
import { unavailable } from './providers.ts';

/** Milliseconds for a request to a provider. */
const TIMEOUT_MS = 10_000;

type Known = {
  provider: loginProvider.LoginProvider;
  service: OutsideService;
  configuration?: Promise<Configuration> | undefined;
  keys?: JWTVerifyGetKey | undefined;
};

/**
 * The clients of providers in one process. Nothing is loaded before the first login with a provider; after a failure, not every login sends requests
 * to the provider again.
 */
export class ProviderClients {
  readonly #known = new Map<string, Known>();

  /** The addresses and keys of a provider (OpenID Connect Discovery). @throws ServiceUnavailable when it does not respond, or not like a provider */
  async configuration(
    { log, config }: Pick<Kernel, 'log' | 'config'>,
    provider: loginProvider.LoginProvider,
  ): Promise<Configuration> {
    const cached = this.#known.get(provider.id);
    const known: Known =
      cached && isSame(cached.provider, provider) ? cached : { provider, service: serviceOf(config, provider) };
    this.#known.set(provider.id, known);
    known.configuration ??= discover(provider, known.service);
    const { configuration } = known;
    try {
      return await configuration;
    } catch (error) {
      if (known.configuration === configuration) known.configuration = undefined;
      throw reportDown({ log }, provider, error);
    }
  }

  /**
   * The public keys of a provider, by which its tokens are verified; they are loaded again for a token with an unknown key. Undefined for a provider
   * without keys. @throws ServiceUnavailable like `configuration`
   */
  async keys(
    kernel: Pick<Kernel, 'log' | 'config'>,
    provider: loginProvider.LoginProvider,
  ): Promise<JWTVerifyGetKey | undefined> {
    const { jwks_uri: address } = (await this.configuration(kernel, provider)).serverMetadata();
    const known = this.#known.get(provider.id);
    if (address === undefined || !known) return undefined;
    known.keys ??= createRemoteJWKSet(new URL(address), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: (url, { headers, method, redirect, signal }) =>
        known.service.fetch(
          url,
          { headers, method, redirect, signal },
          { answerMs: TIMEOUT_MS, silenceMs: TIMEOUT_MS },
        ),
    });
    return known.keys;
  }

  /** The providers whose last request failed, each with the failure. */
  get troubles(): string[] {
    return [...this.#known.values()].flatMap(({ service: { name, trouble } }) =>
      trouble === undefined ? [] : [`${name} ${trouble}`],
    );
  }
}

/** The failure of the outside service that caused an error of the library; undefined for other errors. */
function outsideFailureIn(error: unknown): OutsideFailure | undefined {
  if (error instanceof OutsideFailure) return error;
  return error instanceof Error ? outsideFailureIn(error.cause) : undefined;
}

/** Logs that a provider cannot be used, unless no request was sent. Returns the error for its users. */
export function reportDown(
  { log }: Pick<Kernel, 'log'>,
  provider: loginProvider.LoginProvider,
  error: unknown,
): ServiceUnavailable {
  const failure = outsideFailureIn(error);
  if (failure && failure.kind !== 'resting')
    log.warn({ cause: failure.message, provider: provider.id }, 'a provider does not respond');
  else if (!failure) log.warn({ err: error, provider: provider.id }, 'a provider does not respond');
  return unavailable(provider);
}

/** Says if a client can serve both of two states of a provider's settings. */
const isSame = (one: loginProvider.LoginProvider, other: loginProvider.LoginProvider): boolean =>
  one.issuer === other.issuer && one.clientId === other.clientId && one.clientSecret === other.clientSecret;

/** Loads the library when it is first used, because most sites have no provider. */
export const loadClient = () => import('openid-client');

/**
 * The service of a provider. It may be in a private network if the environment describes the provider, or if the server sends requests to private
 * networks. The same applies to other addresses of the provider.
 */
function serviceOf(
  { loginProviders, webhookPrivateAddresses }: Pick<Kernel['config'], 'loginProviders' | 'webhookPrivateAddresses'>,
  { id }: loginProvider.LoginProvider,
): OutsideService {
  const mayBePrivate = webhookPrivateAddresses || loginProviders.some((one) => one.id === id);
  return new OutsideService(`The login provider ${id}`, mayBePrivate ? {} : { send: fetchPublic });
}

async function discover(
  { issuer, clientId, clientSecret }: loginProvider.LoginProvider,
  service: OutsideService,
): Promise<Configuration> {
  const client = await loadClient();
  const isLocal = new URL(issuer).protocol === 'http:';
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret);
  return client.discovery(new URL(issuer), clientId, undefined, authentication, {
    // The limit also holds for later requests, and for the whole of a slow response.
    timeout: TIMEOUT_MS / 1000,
    [client.customFetch]: (url, init) =>
      service.fetch(
        url,
        { ...init, body: init.body ?? null, signal: init.signal ?? null },
        { answerMs: TIMEOUT_MS, silenceMs: TIMEOUT_MS },
      ),
    // The signature of the token is verified, also if the token came directly from the provider.
    execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
  });
}

/** True if a request failed because the provider is unreachable or failing, not because of the content of its response. */
export function isDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.cause instanceof Response) return error.cause.status >= 500;
  return error instanceof OutsideFailure || isDown(error.cause);
}

/** Sends no request: it reports the outcome of the last request to each provider. */
export const providerHealth: HealthCheck = {
  name: 'loginProviders:lastAnswer',
  componentType: 'component',
  keep: 0,
  isWanted: ({ config, sites }) => config.loginProviders.length > 0 || (sites.last?.loginProviders.size ?? 0) > 0,
  async observe({ slots }) {
    const troubles = slots.get(PROVIDER_CLIENTS).troubles;
    return {
      status: troubles.length > 0 ? 'warn' : 'pass',
      observedValue: troubles.length,
      observedUnit: 'providers that failed',
      ...(troubles.length > 0 ? { output: troubles.join('; ') } : {}),
    };
  },
};

/** The clients of a process. */
export const PROVIDER_CLIENTS = new Slot<ProviderClients>('clients of OpenID providers');
