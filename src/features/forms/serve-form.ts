import { defineBlock, mapBlocks } from '#core';
import { isJsonObject, type JsonObject, mapItems, mapKey, omit } from '#lib/json-object';
import { CAPTCHA_PROVIDERS, type CaptchaProviders } from './captcha.ts';
import { FORM_TYPES, isForm } from './form-block.ts';

/**
 * Keys of forms about recipients and mails, which only editors get. Front ends of visitors need none of them (collective.volto.formsupport,
 * `FormSerializer`, which hides keys that begin with `default_`).
 */
const SECRETS = new Set([
  ...['recipients', 'bcc', 'sender', 'sender_name', 'subject', 'admin_info', 'confirmation_recipients'],
  ...['mail_header', 'mail_footer', 'fixed_attachment', 'acknowledgementFields', 'acknowledgementMessage'],
]);

const isSecret = (key: string): boolean => SECRETS.has(key) || key.startsWith('default_');

type Reader = { mayEdit: boolean; providers: CaptchaProviders | undefined };

/** A form as its reader may see it, with the properties of the widget of its captcha. */
function servedForm(form: JsonObject, { mayEdit, providers }: Reader): JsonObject {
  const provider = typeof form.captcha === 'string' ? providers?.find(form.captcha) : undefined;
  const shown = mayEdit ? form : omit(form, isSecret);
  return provider?.props ? { ...shown, captcha_props: provider.props } : shown;
}

/** Serves the form of a block and the forms in its `columns`, which only form blocks use for sub-blocks. */
function served(block: JsonObject, reader: Reader): JsonObject {
  const own = isForm(block) ? servedForm(block, reader) : block;
  const columnOf = (column: unknown): unknown => {
    const within = mapBlocks({ column }, (inner) => served(inner, reader));
    return isJsonObject(within) ? within.column : column;
  };
  return mapKey(own, 'columns', (columns) => (Array.isArray(columns) ? mapItems(columns, columnOf) : columns));
}

/** Removes the keys for editors from forms in blocks, for readers who may copy the blocks. */
export const withoutSecrets = (blocks: unknown): unknown =>
  mapBlocks(blocks, (block) => served(block, { mayEdit: false, providers: undefined }));

/** Serves forms anywhere among blocks. */
export const formBlocks = defineBlock({
  type: null,
  changes: FORM_TYPES,
  read: (block, { mayEdit, slots }) => served(block, { mayEdit, providers: slots.find(CAPTCHA_PROVIDERS) }),
});
