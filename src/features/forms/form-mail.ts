import { isStoredFile, mailing, panelSettings, panels, type Site, type StoredFile } from '#core';
import { BadRequest } from '#lib/errors';
import { htmlToText } from '#lib/text/html-to-text';
import { sanitizeHtml } from '#lib/text/sanitize-html';
import { choiceTitle, type FormField } from './fields.ts';
import type { Form } from './form-block.ts';
import { formPanel } from './panel.ts';
import type { FormValue } from './values.ts';

/** Maximum number of recipients of one mail, and of confirmations that one submission sends. */
const MAX_RECIPIENTS = 50;

/** Maximum characters of a text with the values in it: a text may name a value many times. */
const MAX_FILLED_LENGTH = 1_000_000;
/** Maximum characters of HTML around the values, which is sanitized for each mail. */
const MAX_HTML_LENGTH = 100_000;

/** The template of sites without their own. */
const DEFAULT_TEMPLATE = `\${header}
<table>
\${fields}
</table>
\${admin_info}
\${footer}
`;

/** A checked submission of a form. `files` are stored already. */
export type SentForm = {
  site: Site;
  form: Form;
  /** The title of the page, and its address on the front end. */
  page: { title: string; url: string };
  values: ReadonlyMap<string, FormValue>;
  /** The file that is attached to the confirmation. */
  attachment: StoredFile | undefined;
};

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
const escapeLines = (text: string): string => escapeHtml(text).replace(/\r\n?|\n/g, '<br />');

/** Replaces the names in a text, `${name}`, once: names in the values are not replaced again. Throws BadRequest when the text gets too long. */
function fill(text: string, valueNamed: (name: string) => string): string {
  let { length } = text;
  return text.replace(/\$\{([^{}]{1,200})\}/g, (_, name: string) => {
    const value = valueNamed(name.trim());
    length += value.length;
    if (length > MAX_FILLED_LENGTH) throw new BadRequest('The mail of this form would be too long.');
    return value;
  });
}

/** The values of a form for readers, by the names of its fields; choices become their titles. */
function readableValues({ site, form, values }: Pick<SentForm, 'site' | 'form' | 'values'>): (name: string) => string {
  const say = mailing.wordsIn(site);
  const fields = new Map(form.fields.map((field) => [field.id, field]));
  return (name) => {
    const value = values.get(name);
    const titleOf = (token: string) => choiceTitle(fields.get(name) ?? { choices: undefined }, token);
    if (value === undefined) return '';
    if (typeof value === 'boolean') return value ? say('Yes') : say('No');
    if (Array.isArray(value))
      return value.map((item) => (isStoredFile(item) ? item.filename : titleOf(item))).join('\n');
    return titleOf(String(value));
  };
}

/** The addresses of a text that separates them by `;`, `,` or white space. Other words are left out. */
const addressesIn = (text: string): mailing.Mail['to'] =>
  [...new Set(text.split(/[;,\s]+/))]
    .filter(mailing.isPlausibleAddress)
    .slice(0, MAX_RECIPIENTS)
    .map((address) => ({ name: '', address }));

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/**
 * The sender of a mail of a form: the sender that its block names if the address has the site's own domain, else the site. Mail servers would treat a
 * sender of another domain as a forgery (DMARC), and it could be one.
 */
function senderOf(site: Site, { sender, senderName }: Form): mailing.Mail['from'] {
  const { email_from_address: stored, email_from_name: siteName } = panelSettings(site, panels.mail);
  const own = stored.trim();
  if (!mailing.isAddress(own)) return undefined;
  const address = mailing.isPlausibleAddress(sender) && domainOf(sender) === domainOf(own) ? sender : own;
  return { name: senderName.trim() || siteName, address };
}

/** The texts of one mail: rows of values in a table, and the same as plain text. */
function bodyOf(
  sent: SentForm,
  { adminInfo, hidden }: { adminInfo: string; hidden: boolean },
): { html: string; text: string } {
  const { site, form, page, values } = sent;
  const fieldOf = readableValues(sent);
  const shown = form.fields.filter(({ id, form: kind }) => values.has(id) && (hidden || kind !== 'hidden'));
  const rows = shown.map(({ id, label }) => ({ label, value: fieldOf(id) }));
  const htmlOf = (html: string): string =>
    sanitizeHtml(
      fill(html, (name) => escapeLines(fieldOf(name))),
      MAX_HTML_LENGTH,
    );
  const [header, footer] = [htmlOf(form.header), htmlOf(form.footer)];
  const parts: Readonly<Record<string, string>> = {
    lang: escapeHtml(mailing.languageOf(site)),
    title: escapeHtml(form.title || page.title),
    header,
    footer,
    admin_info: escapeLines(adminInfo),
    fields: rows
      .map(({ label, value }) => `<tr><th align="left">${escapeHtml(label)}</th><td>${escapeLines(value)}</td></tr>`)
      .join('\n'),
    url: escapeHtml(page.url),
  };
  const template = panelSettings(site, formPanel).mail_template;
  const html = fill(template.trim() === '' ? DEFAULT_TEMPLATE : template, (name) =>
    Object.hasOwn(parts, name) ? (parts[name] ?? '') : '',
  );
  const text = [
    htmlToText(header),
    rows.map(({ label, value }) => (value.includes('\n') ? `${label}:\n${value}` : `${label}: ${value}`)).join('\n'),
    adminInfo,
    htmlToText(footer),
  ];
  return {
    html,
    text: `${text
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('\n\n')}\n`,
  };
}

/** The address for replies: the value of the field that is marked for it, else of the first field for an address. */
function replyAddress(fields: readonly FormField[], values: ReadonlyMap<string, FormValue>): string | undefined {
  const named = fields.filter(({ replyTo }) => replyTo);
  const candidates = named.length > 0 ? named : fields.filter(({ form }) => form === 'email');
  for (const { id } of candidates) {
    const value = values.get(id);
    if (typeof value === 'string' && mailing.isPlausibleAddress(value)) return value;
  }
  return undefined;
}

const attached = ({ hash, filename, 'content-type': contentType }: StoredFile) => ({ hash, filename, contentType });

/** The recipients of confirmations and copies of a form: addresses from the sender, not verified. */
export function confirmedAddresses({ form, values }: Pick<SentForm, 'form' | 'values'>): string[] {
  const fieldOf = (name: string): string => {
    const value = values.get(name);
    return typeof value === 'string' ? value : '';
  };
  const recipient = form.confirmation ? fill(form.confirmation.recipient, fieldOf).trim() : '';
  const copies = form.fields.filter(({ copyTo }) => copyTo).map(({ id }) => fieldOf(id));
  return [...new Set([recipient, ...copies])].filter(mailing.isPlausibleAddress);
}

/** The mails that a form makes: to its recipients, copies, and a confirmation to the sender of the form. */
export function formMails(sent: SentForm): mailing.Mail[] {
  const { site, form, page, values, attachment } = sent;
  const say = mailing.wordsIn(site);
  const from = senderOf(site, form);
  const subject = fill(form.subject, readableValues(sent)).trim() || form.title || page.title || say('Form');
  const basis = { ...(from ? { from } : {}), subject };
  const mails: mailing.Mail[] = [];
  const files = [...values.values()].flatMap((value) => (Array.isArray(value) ? value.filter(isStoredFile) : []));
  if (form.mail) {
    const siteAddress = panelSettings(site, panels.mail).email_from_address.trim();
    const to = addressesIn(form.mail.recipients || siteAddress);
    const bcc = addressesIn(form.mail.bcc);
    const reply =
      replyAddress(form.fields, values) ?? (mailing.isPlausibleAddress(form.sender) ? form.sender : undefined);
    const body = bodyOf(sent, { adminInfo: form.mail.adminInfo, hidden: true });
    if (to.length > 0)
      mails.push({
        ...basis,
        ...body,
        to,
        ...(bcc.length > 0 ? { bcc } : {}),
        ...(reply === undefined ? {} : { replyTo: { name: '', address: reply } }),
        ...(files.length > 0 ? { attachments: files.map(attached) } : {}),
      });
  }
  const message = form.confirmation?.message;
  for (const address of confirmedAddresses(sent)) {
    const html = message === undefined ? undefined : sanitizeHtml(message, MAX_HTML_LENGTH);
    const body =
      html === undefined
        ? bodyOf(sent, { adminInfo: '', hidden: false })
        : { html, text: `${htmlToText(html).trim()}\n` };
    mails.push({
      ...basis,
      ...body,
      to: [{ name: '', address }],
      ...(attachment ? { attachments: [attached(attachment)] } : {}),
    });
  }
  return mails;
}
