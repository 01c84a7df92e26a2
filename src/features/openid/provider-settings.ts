import { Type } from 'typebox';
import { type Caller, configuration, type Kernel, loginProvider, secretBox, type Transaction } from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import { isPrivateHost } from '#lib/http/outgoing-request';
import type { JsonObject } from '#lib/json-object';
import { requireAuthority } from '../people/authority.ts';
import { changeSetup, nextPosition, rowWith, type SetupChange, type SetupRows } from '../setup/change-setup.ts';
import { rejectField, requireForm } from '../setup/check-data.ts';
import { placeOfSecret } from './providers.ts';
import { keepProviderSecret } from './statements/provider-secrets.ts';

/** The secret of a provider in a body: a text sets the secret, null removes it, an empty text leaves it unchanged. */
export const ClientSecret = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
  description: 'Its password at the provider. It is never served; an empty text leaves it as it is, null removes it.',
});

/** The change of a provider's secret: a new secret, null to remove it, undefined or empty to leave it unchanged. */
export type SecretChange = string | null | undefined;

const isKept = (secret: SecretChange): secret is '' | undefined => secret === undefined || secret === '';

/**
 * Throws unless the caller has the authority of a Manager: the settings of a provider decide which account each of its users gets.
 * @throws Forbidden
 */
const requireAllAuthority = ({ site, caller }: SetupChange): void => requireAuthority(site, caller, ['Manager']);

/** Throws ValidationFailed for an impossible provider. */
function requireProviderData(kernel: Kernel, data: loginProvider.ProviderData): void {
  requireForm(configuration.KINDS.loginProvider, data);
  // Only the operator of the machine may learn which other services run on it.
  if (kernel.config.webhookPrivateAddresses) return;
  if (data.issuer.startsWith('http:') || isPrivateHost(new URL(data.issuer)))
    rejectField(
      'issuer',
      'A provider on the same machine or in a private network needs the setting WEBHOOK_PRIVATE_ADDRESSES=1.',
    );
}

/** The provider of the site in an address. Throws NotFound, and BadRequest for a provider of the environment. */
function requireOwn({ kernel, site }: SetupChange, id: string): loginProvider.ProviderData {
  const data = site.loginProviders.get(id);
  if (data) return data;
  if (kernel.config.loginProviders.some((one) => one.id === id))
    throw new BadRequest(`The provider "${id}" is described by the settings of the server, and is changed there.`);
  throw new NotFound(`/@controlpanels/login-providers/${id}`);
}

/** Writes the row of a provider with its secret. */
async function rowsWith(
  { kernel, tx }: { kernel: Kernel; tx: Transaction },
  row: NonNullable<SetupRows['write']>[number],
  secret: SecretChange,
): Promise<SetupRows> {
  if (isKept(secret)) return { write: [row] };
  const place = placeOfSecret(row.id);
  const sealed = secret === null ? null : (await secretBox.open(tx, kernel.config.secretsKeys)).seal(secret, place);
  return {
    write: [row],
    also: [{ part: configuration.KINDS.loginProvider, id: row.id, change: 'edited', names: ['client_secret'] }],
    afterwards: () => keepProviderSecret(tx, row.id, sealed),
  };
}

/** Adds a provider to the site. Throws ValidationFailed, Forbidden. */
export async function createProvider(
  kernel: Kernel,
  caller: Caller,
  { data, secret }: { data: loginProvider.ProviderData; secret: SecretChange },
): Promise<void> {
  await changeSetup(kernel, { caller }, (change) => {
    requireAllAuthority(change);
    requireProviderData(kernel, data);
    const { id } = data;
    const { loginProviders } = change.site;
    if (loginProviders.has(id) || kernel.config.loginProviders.some((one) => one.id === id))
      rejectField('id', `There is a provider "${id}" already.`);
    if (loginProviders.size >= loginProvider.MAX_PROVIDERS)
      throw new BadRequest(`A site has at most ${loginProvider.MAX_PROVIDERS} providers.`);
    const row = {
      kind: configuration.KINDS.loginProvider,
      id,
      position: nextPosition(change, configuration.KINDS.loginProvider),
      data,
    };
    return rowsWith(change, row, secret);
  });
}

/** Changes members of a provider; null removes a member. Throws NotFound, ValidationFailed, Forbidden. */
export async function changeProvider(
  kernel: Kernel,
  caller: Caller,
  { id, members, secret }: { id: string; members: JsonObject; secret: SecretChange },
): Promise<void> {
  await changeSetup(kernel, { caller }, (change) => {
    requireAllAuthority(change);
    const before = requireOwn(change, id);
    const data = Object.fromEntries(
      Object.entries({ ...before, ...members }).filter(([, value]) => value !== null),
    ) as loginProvider.ProviderData;
    requireProviderData(kernel, data);
    if (data.issuer !== before.issuer && isKept(secret))
      rejectField('client_secret', 'Another provider has another secret: send it along, or null for none.');
    return rowsWith(change, rowWith(change, { kind: configuration.KINDS.loginProvider, id }, data), secret);
  });
}

/** Removes a provider with its secret. Linked accounts stay linked. Throws NotFound, Forbidden. */
export async function removeProvider(kernel: Kernel, caller: Caller, id: string): Promise<void> {
  await changeSetup(kernel, { caller }, (change) => {
    requireAllAuthority(change);
    requireOwn(change, id);
    return {
      remove: [{ kind: configuration.KINDS.loginProvider, id }],
      afterwards: () => keepProviderSecret(change.tx, id, null),
    };
  });
}
