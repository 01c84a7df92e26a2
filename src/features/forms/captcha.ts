import type { Kernel, SiteVocabulary } from '#core';
import { BadRequest } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { Slot } from '#lib/slots';
import { requireOwnTransaction } from './own-transaction.ts';

/** The input of a captcha check: the response of the widget, all submitted data, and the network of the client. */
export type CaptchaRequest = {
  kernel: Kernel;
  /** `captcha` of the body: usually `{provider, token}` or `{provider, value}`. */
  captcha: JsonObject;
  /** The submitted names and texts, also names that are no fields of the form. */
  data: ReadonlyMap<string, unknown>;
  clientAddress: string;
};

/** A way to tell people from programs, which blocks of forms name as their `captcha`. */
export type CaptchaProvider = {
  /** Its name in blocks, such as `recaptcha`. */
  name: string;
  /** Title for editors. */
  title: string;
  /** The properties of its widget, such as a public key: blocks are served with them as `captcha_props`. */
  props?: JsonObject;
  /** Names that its widget sends among the data, and that are no fields of the form. */
  fields?: readonly string[];
  /** True if the submission comes from a person. A thrown error is a fault of the server. */
  verify(request: CaptchaRequest): boolean | Promise<boolean>;
};

/** The captcha providers that features have registered. */
export class CaptchaProviders {
  readonly #providers = new Map<string, CaptchaProvider>();

  /** Adds a provider. Throws when its name is taken, which is a programming error. */
  register(provider: CaptchaProvider): void {
    if (this.#providers.has(provider.name)) throw new Error(`There are two captcha providers ${provider.name}`);
    this.#providers.set(provider.name, provider);
  }

  find(name: string): CaptchaProvider | undefined {
    return this.#providers.get(name);
  }

  /** All providers, in the order of their registration. */
  all(): CaptchaProvider[] {
    return [...this.#providers.values()];
  }
}

/** The slot in which features register captcha providers, in `subscribe`. */
export const CAPTCHA_PROVIDERS = new Slot<CaptchaProviders>('captcha-providers');

/** The field that people do not see and programs fill (collective.honeypot). */
const HONEYPOT_FIELD = 'protected_1';

/** A hidden field that must stay empty. It needs no settings, so it is always available. */
export const honeypot: CaptchaProvider = {
  name: 'honeypot',
  title: 'Honeypot',
  props: { id: HONEYPOT_FIELD },
  fields: [HONEYPOT_FIELD],
  verify: ({ captcha, data }) => [captcha.value, data.get(HONEYPOT_FIELD)].every((value) => (value ?? '') === ''),
};

/** The vocabulary of captchas for forms, for editors. */
export const captchaVocabulary: SiteVocabulary = {
  names: ['captchaProviders', 'collective.volto.formsupport.captcha.providers'],
  terms: ({ registries: { slots, messages } }, language) =>
    (slots.find(CAPTCHA_PROVIDERS)?.all() ?? []).map(({ name, title }) => ({
      token: name,
      title: messages.translate(title, language),
    })),
};

/** The provider that a form names. Throws BadRequest for an unknown provider, because nothing could be verified. */
export function requireProvider(kernel: Kernel, name: string): CaptchaProvider {
  const provider = kernel.slots.get(CAPTCHA_PROVIDERS).find(name);
  if (!provider)
    throw new BadRequest(`This form has the captcha "${name.slice(0, 100)}", which this site does not have.`);
  return provider;
}

/** Throws BadRequest unless the provider accepts the submission as that of a person. */
export async function requirePerson(
  provider: CaptchaProvider,
  request: Omit<CaptchaRequest, 'captcha'> & { captcha: unknown },
): Promise<void> {
  requireOwnTransaction(request.kernel.db);
  const captcha = isJsonObject(request.captcha) ? request.captcha : {};
  if (!(await provider.verify({ ...request, captcha })))
    throw new BadRequest('The form was not accepted: the captcha was not solved.');
}
