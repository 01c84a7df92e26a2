import { defineBlock, mapBlocks } from '#core';
import { isJsonObject, type JsonObject, mapItems, mapKey, omit } from '#lib/json-object';
import { CAPTCHA_PROVIDERS, type CaptchaProviders } from './captcha.ts';
import { isForm } from './form-block.ts';

/**
 * Keys of forms that say to whom and how they are mailed: for editors alone. Front ends of visitors need none of them
 * (collective.volto.formsupport, `FormSerializer`, which hides those that begin with `default_`).
 */
const SECRETS = new Set([
  ...['recipients', 'bcc', 'sender', 'sender_name', 'subject', 'admin_info', 'confirmation_recipients'],
  ...['mail_header', 'mail_footer', 'fixed_attachment', 'acknowledgementFields', 'acknowledgementMessage'],
]);

const isSecret = (key: string): boolean => SECRETS.has(key) || key.startsWith('default_');

type Reader = { mayEdit: boolean; providers: CaptchaProviders | undefined };

/** A form as its reader may see it, with what the widget of its captcha needs. */
function servedForm(form: JsonObject, { mayEdit, providers }: Reader): JsonObject {
  const provider = typeof form.captcha === 'string' ? providers?.find(form.captcha) : undefined;
  const shown = mayEdit ? form : omit(form, isSecret);
  return provider?.props ? { ...shown, captcha_props: provider.props } : shown;
}

/** A block whose forms are served: itself, and those in its `columns`, which are sub-blocks nowhere else. */
function served(block: JsonObject, reader: Reader): JsonObject {
  const own = isForm(block) ? servedForm(block, reader) : block;
  const columnOf = (column: unknown): unknown => {
    const within = mapBlocks({ column }, (inner) => served(inner, reader));
    return isJsonObject(within) ? within.column : column;
  };
  return mapKey(own, 'columns', (columns) => (Array.isArray(columns) ? mapItems(columns, columnOf) : columns));
}

/** Blocks without what their forms say to editors alone: for those who may read them and make them their own. */
export const withoutSecrets = (blocks: unknown): unknown =>
  mapBlocks(blocks, (block) => served(block, { mayEdit: false, providers: undefined }));

/** Serves forms, wherever they stand among blocks. */
export const formBlocks = defineBlock({
  type: null,
  read: (block, { mayEdit, slots }) => served(block, { mayEdit, providers: slots.find(CAPTCHA_PROVIDERS) }),
});
