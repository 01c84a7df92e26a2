import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { addFields, textField } from '../search/declare.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json, RequestOptions, TestSite } from '../support/site.ts';

const PASSWORD = 'Long-enough-77!';
/** A name in decomposed Unicode, as macOS writes it, with what file systems do not take. */
export const ODD_NAME = 'Cafe\u0301: <\u5831\u544a> "a|b?".txt';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const file = (filename: string, data: string, type = 'text/plain') => ({
  data: Buffer.from(data).toString('base64'),
  encoding: 'base64',
  filename,
  'content-type': type,
});
export const picture = { data: PIXEL, encoding: 'base64', filename: 'pixel.png', 'content-type': 'image/png' };

/** Sends a request that must succeed, and returns the body. */
export const mustOf =
  (site: Pick<TestSite, 'request'>) =>
  async (method: string, path: string, json?: unknown, more: RequestOptions = {}): Promise<Json> => {
    const { status, body, text } = await site.request(method, path, {
      ...(json === undefined ? {} : { json }),
      ...more,
    });
    expect(status, `${method} ${path}: ${text.slice(0, 500)}`).toBeLessThan(300);
    return body;
  };

/** Has something of everything on a site: a row in each table that an export takes along. */
export async function furnish(site: TestSite): Promise<void> {
  const must = mustOf(site);
  const { db } = site.kernel;
  await addFields(site.kernel, PAGE, { pin: { ...textField({ factory: 'Password' }), type: 'string' } });
  await must('POST', '/@controlpanels/dexterity-types', {
    id: 'Recipe',
    title: 'Recipe',
    description: 'Of the type editor',
  });
  await must('PATCH', '/@controlpanels/mail', {
    smtp_host: 'mail.example.org',
    smtp_userid: 'post',
    smtp_pass: 'very secret',
    email_from_address: 'site@example.org',
  });
  await must('POST', '/@users', { username: 'eva', email: 'eva@example.org', password: PASSWORD, fullname: 'Eva Å' });
  await must('POST', '/@groups', { groupname: 'staff', title: 'Staff', roles: ['Editor'], users: ['eva'] });
  await must('PATCH', '/@users/eva', { portrait: picture });
  const eva = { login: 'eva', password: PASSWORD };
  await must('POST', '/@login', eva, { as: 'anonymous' });
  const { secret } = await must('POST', '/@totp', eva, { as: 'anonymous' });
  const otp = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await must('POST', '/@totp/confirm', { ...eva, otp }, { as: 'anonymous' });
  await must('PUT', '/@cache-purges/token', { token: 'token-of-a-cache' });
  await db.query({
    text: `insert into imported_setup (kind, id, position, data, file) values ('role', 'Curator', 1, '{"title": "Curator"}', 'roles.json')`,
  });
  await db.query({
    text: `insert into provider_account (issuer, subject, account) values ('https://id.example.org', '7', 'eva')`,
  });

  await must('POST', '/@controlpanels/login-providers', {
    ...{ id: 'town', title: 'The town', issuer: 'https://id.example.org', client_id: 'canopy' },
    client_secret: 'secret of the client',
  });

  await must('POST', '/', { '@type': 'Folder', id: 'news', title: 'News \u2028 "x" 😀' });
  await must('POST', '/news', {
    '@type': PAGE,
    id: 'a',
    title: 'First',
    pin: '1234',
    blocks: { f: { '@type': 'schemaForm', store: true, send: false, data_wipe: -1, schema: formSchema } },
    blocks_layout: { items: ['f'] },
  });
  await must('POST', '/news', { '@type': 'File', id: 'paper', title: 'Paper', file: file(ODD_NAME, 'old bytes') });
  await must('PATCH', '/news/paper', { file: file(ODD_NAME, 'new bytes'), changeNote: 'Newer' });
  await must('POST', '/news', { '@type': 'Image', id: 'dot', title: 'Dot', image: picture });
  await must('PATCH', '/news/a', { title: 'First, edited', relatedItems: ['/news/paper'], changeNote: 'A note' });
  await must('POST', '/news/a/@workflow/publish', { comment: 'Ready' });
  await must('POST', '/news/@sharing', {
    entries: [{ id: 'staff', type: 'group', roles: { Reader: true } }],
    inherit: false,
  });
  await must('PATCH', '/@controlpanels/discussion', { globally_enabled: true });
  await must('PATCH', '/news/a', { allow_discussion: true });
  await must('POST', '/news/a/@comments', { text: 'One \u0000'.replace('\u0000', '') });
  const { items } = await must('GET', '/news/a/@comments');
  await must('POST', `/news/a/@comments/${items[0].comment_id}`, { text: 'An answer' });
  await must('POST', '/news/a/@aliases', { items: ['/old/address'] });
  await must(
    'POST',
    '/news/a/@schemaform-data',
    { block_id: 'f', data: [{ field_id: 'name', value: 'Zoë' }] },
    { as: 'anonymous' },
  );
  await must('POST', '/news/a/@workingcopy');
  await must('POST', '/@scheduled-jobs', {
    id: 'weekly',
    action: 'reindex',
    params: { type: [] },
    schedule: '0 3 * * 0',
  });
  const { id: rule } = await must('POST', '/@controlpanels/content-rules', { title: 'Tell', event: 'onAfterAdd' });
  await must('POST', `/news/@content-rules/${rule}`);
  await db.query({
    text: `insert into content_rule_failure (rule, at, path, message) values ($1, now(), '/news/a', 'It failed')`,
    values: [rule],
  });
  await db.query({
    text: `insert into notification (account, at, kind, message, path) values ('eva', now(), 'info', 'Look', '/news/a')`,
  });
  await must('POST', '/@webhooks', { title: 'Front end', url: 'https://front.example.org/changed', enabled: false });
  // A new site begins with what happens there.
  await db.query({ text: 'update webhook set position = null, event = null' });
  await must('POST', '/', { '@type': 'Folder', id: 'gone', title: 'Gone' });
  await must('POST', '/gone', { '@type': 'File', id: 'attic', title: 'Attic', file: file('attic.txt', 'in the bin') });
  await must('PATCH', '/gone/attic', { title: 'Attic 2' });
  await must('DELETE', '/gone');
  await must('POST', '/news/dot/@lock');
}

const formSchema = {
  fieldsets: [{ id: 'default', title: 'Default', fields: ['name'] }],
  properties: { name: { title: 'Your name', type: 'string', factory: 'label_text_field' } },
  required: [],
};
