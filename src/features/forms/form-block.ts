import type { ContentObject, Site } from '#core';
import { isJsonObject, type JsonObject, textOf } from '#lib/json-object';
import { type FormField, listedFields, schemaFields } from './fields.ts';

/** The blocks that are forms: with a schema, and with a list of fields (volto-form-block, collective.volto.formsupport). */
const SCHEMA_FORM = 'schemaForm';
const LISTED_FORM = 'form';

/** The mail of a form. Texts may name fields: `${email}`. */
type FormMail = {
  /** Addresses, separated by `;` or `,`. Empty: the address of the site. */
  recipients: string;
  bcc: string;
  /** Text for the recipients only. */
  adminInfo: string;
};

/** A confirmation by mail to the sender of the form. */
type FormConfirmation = {
  /** The address of the sender, usually `${<field>}`. */
  recipient: string;
  /** HTML in place of the values; undefined if the mail contains the values. */
  message: string | undefined;
  /** The attached file, as the block stores it. */
  attachment: unknown;
};

/** A form, as its block describes it. */
export type Form = {
  /** The id of its block. */
  id: string;
  /** True if its fields come as a schema; else as a list. Clients of the two kinds of forms read and write values differently. */
  hasSchema: boolean;
  title: string;
  fields: readonly FormField[];
  stores: boolean;
  /** Days after which submissions are removed; undefined for never. */
  days: number | undefined;
  /** True if copies go only to addresses whose owners enter the code that was mailed to them. */
  verifiesAddresses: boolean;
  /** The provider of the captcha; empty for none. */
  captcha: string;
  subject: string;
  /** The address of the sender of mails. */
  sender: string;
  senderName: string;
  /** HTML above and below the values. */
  header: string;
  footer: string;
  mail: FormMail | undefined;
  confirmation: FormConfirmation | undefined;
};

const htmlOf = (value: unknown): string => textOf(isJsonObject(value) ? value.data : value);

/** More days count as for ever, because dates have an upper limit. */
const MAX_DAYS = 36_500;

function daysOf(value: unknown): number | undefined {
  const days = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof days === 'number' && days > 0 && days <= MAX_DAYS ? days : undefined;
}

/** A block with a schema (`schemaForm`). */
const schemaForm = (id: string, block: JsonObject): Form => ({
  id,
  hasSchema: true,
  title: textOf(block.title),
  fields: schemaFields(block.schema),
  stores: block.store === true,
  days: daysOf(block.data_wipe),
  verifiesAddresses: false,
  captcha: textOf(block.captcha),
  subject: textOf(block.subject),
  sender: textOf(block.sender),
  senderName: textOf(block.sender_name),
  header: htmlOf(block.mail_header),
  footer: htmlOf(block.mail_footer),
  mail:
    block.send === true
      ? { recipients: textOf(block.recipients), bcc: textOf(block.bcc), adminInfo: textOf(block.admin_info) }
      : undefined,
  confirmation:
    block.send_confirmation === true
      ? { recipient: textOf(block.confirmation_recipients), message: undefined, attachment: block.fixed_attachment }
      : undefined,
});

/** A block with a list of fields (`form`). `send` was a boolean in older blocks, and lists the recipients now. */
function listedForm(id: string, block: JsonObject): Form {
  const sends = (to: string): boolean => Array.isArray(block.send) && block.send.includes(to);
  const acknowledged = textOf(block.acknowledgementFields);
  return {
    id,
    hasSchema: false,
    title: textOf(block.title),
    fields: listedFields(block),
    stores: block.store === true,
    days: daysOf(block.remove_data_after_days ?? block.data_wipe),
    verifiesAddresses: block.email_otp_verification === true,
    captcha: textOf(block.captcha),
    subject: textOf(block.default_subject) || textOf(block.subject),
    sender: textOf(block.default_from),
    senderName: textOf(block.default_from_name),
    header: htmlOf(block.mail_header),
    footer: htmlOf(block.mail_footer),
    mail:
      block.send === true || sends('recipient')
        ? { recipients: textOf(block.default_to), bcc: textOf(block.default_bcc), adminInfo: '' }
        : undefined,
    confirmation:
      sends('acknowledgement') && acknowledged !== ''
        ? { recipient: `\${${acknowledged}}`, message: htmlOf(block.acknowledgementMessage), attachment: undefined }
        : undefined,
  };
}

/** Sub-blocks with their ids, wherever blocks have them: `blocks`, `data.blocks`, `columns`. */
function innerBlocks({ blocks, data, columns }: JsonObject): unknown[] {
  const ofColumns = Array.isArray(columns) ? columns.filter(isJsonObject) : [];
  const named = ofColumns.flatMap((column) => (typeof column.id === 'string' ? [[column.id, column] as const] : []));
  return [
    blocks,
    isJsonObject(data) ? data.blocks : undefined,
    Object.fromEntries(named),
    ...ofColumns.map((column) => column.blocks),
  ];
}

/** The types of blocks that are forms. */
export const FORM_TYPES: readonly string[] = [SCHEMA_FORM, LISTED_FORM];

/** True if a block is a form. */
export const isForm = (block: unknown): block is JsonObject =>
  isJsonObject(block) && (block['@type'] === SCHEMA_FORM || block['@type'] === LISTED_FORM);

/** Maximum depth of blocks within blocks in which forms are found. */
const MAX_DEPTH = 200;

function* formsIn(blocks: unknown, depth: number): Generator<[string, JsonObject]> {
  if (!isJsonObject(blocks) || depth > MAX_DEPTH) return;
  for (const [id, block] of Object.entries(blocks)) {
    if (isForm(block)) yield [id, block];
    if (isJsonObject(block)) for (const inner of innerBlocks(block)) yield* formsIn(inner, depth + 1);
  }
}

/** The blocks of an object: its own, or the default blocks of its type. */
function blocksOf(site: Pick<Site, 'types'>, { type, fields }: Pick<ContentObject, 'type' | 'fields'>): unknown {
  return fields.blocks ?? site.types.get(type)?.fieldByName.get('blocks')?.default;
}

/** The form in the block with an id, also inside other blocks; undefined when the object has no such form. */
export function findForm(
  site: Pick<Site, 'types'>,
  object: Pick<ContentObject, 'type' | 'fields'>,
  id: string,
): Form | undefined {
  for (const [found, block] of formsIn(blocksOf(site, object), 0))
    if (found === id) return block['@type'] === SCHEMA_FORM ? schemaForm(id, block) : listedForm(id, block);
  return undefined;
}
