import { type Kernel, loginProvider, type Site, secretBox } from '#core';
import { NotFound, ServiceUnavailable } from '#lib/errors';
import { findProviderSecret } from './statements/provider-secrets.ts';

/** Seconds after which a browser may try an unusable provider again. */
const RETRY_SECONDS = 30;

/** The place of a provider's secret, which its encryption is bound to. */
export const placeOfSecret = (provider: string): string => `login-provider:${provider}`;

/** The providers that people can log in with: providers of the environment, and enabled providers of the site. Secrets of the site are left out. */
export function activeProviders(
  { config }: Pick<Kernel, 'config'>,
  { loginProviders }: Site,
): loginProvider.LoginProvider[] {
  const known = new Set(config.loginProviders.map(({ id }) => id));
  const own = [...loginProviders.values()].filter(({ id, enabled }) => enabled !== false && !known.has(id));
  return [...config.loginProviders, ...own.map((data) => loginProvider.completeProvider(data, undefined))];
}

/**
 * A provider with its secret, the first provider unless an id is given.
 * @throws NotFound when the site has no such provider, and ServiceUnavailable when its secret cannot be read
 */
export async function requireProvider(
  kernel: Kernel,
  site: Site,
  id: string = loginProvider.FIRST_PROVIDER,
): Promise<loginProvider.LoginProvider> {
  const provider = activeProviders(kernel, site).find((one) => one.id === id);
  if (!provider) throw new NotFound('/@login-openid', 'This site has no such provider to log in with.');
  if (kernel.config.loginProviders.some((one) => one.id === id)) return provider;
  const sealed = await findProviderSecret(kernel.db, id);
  if (sealed === undefined) return provider;
  const box = await secretBox.open(kernel.db, kernel.config.secretsKeys);
  try {
    return { ...provider, clientSecret: box.open(sealed, placeOfSecret(id)) };
  } catch (error) {
    kernel.log.error({ err: error, provider: id }, 'the secret of a provider cannot be read: set it again');
    throw unavailable(provider);
  }
}

/** The error for a login with an unusable provider. Only the log has the reason. */
export const unavailable = ({ title }: Pick<loginProvider.LoginProvider, 'title'>): ServiceUnavailable =>
  new ServiceUnavailable(
    `"${title}" cannot be reached at the moment. Try again later, or log in another way.`,
    RETRY_SECONDS,
  );
