import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { defineFeature } from '../../src/core/services/feature.ts';
import { CAPTCHA_PROVIDERS } from '../../src/features/forms/captcha.ts';
import { changeSettings } from '../people/people-site.ts';
import { describeEachEngine, quickestEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useMailingSite, useTestSite } from '../support/use-site.ts';
import { formsOf, schemaOf } from './form-site.ts';

const SCHEMA = schemaOf({
  name: { title: 'Name & title', factory: 'label_text_field' },
  mail: { title: 'E-mail', factory: 'label_email' },
  text: { title: 'Text', factory: 'textarea' },
  yes: { title: 'Agreed', factory: 'label_boolean_field', type: 'boolean' },
  secret: { title: 'Campaign', factory: 'hidden' },
  cv: { title: 'CV', factory: 'File Upload' },
});

describeEachEngine('the mails of forms', (engine) => {
  const { site, sink } = useMailingSite(engine);
  const { page, submit, rows } = formsOf(site);
  const fresh = () => `${randomUUID()}@example.org`;
  beforeAll(() =>
    changeSettings(site, 'mail', { email_from_name: 'The Town', email_from_address: 'town@example.org' }),
  );

  it('a form is mailed to its recipients from the site, with answers to the visitor', async () => {
    const [to, silent, visitor] = [fresh(), fresh(), fresh()];
    const form = await page({
      schema: SCHEMA,
      send: true,
      recipients: `${to}; not an address`,
      bcc: silent,
      subject: `Mail of \${name}`,
      sender: 'forms@example.org',
      sender_name: 'Forms',
      mail_header: { data: `<p>Dear <b>colleague</b>, \${name} writes<script>x</script>:</p>` },
      mail_footer: { data: '<p>Bye</p>' },
      admin_info: 'Answer soon',
    });
    const before = await rows();
    const data = {
      name: 'Ann <Ann>\r\nBcc: x@example.org',
      mail: visitor,
      text: `One\n<i>Two</i> \${footer}`,
      yes: true,
      secret: 'spring',
      cv: { data: Buffer.from('hello').toString('base64'), encoding: 'base64', filename: 'cv.txt' },
    };
    expect((await submit(form, data)).status).toBe(204);
    const [mail] = await sink.arrived(to);
    expect(mail?.envelope).toEqual({ from: 'town@example.org', to: [to, silent] });
    expect(mail?.headers).toMatchObject({ from: 'Forms <forms@example.org>', 'reply-to': visitor, to });
    expect(mail?.subject).toBe('Mail of Ann <Ann> Bcc: x@example.org');
    const raw = (mail?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('\r', '');
    expect(raw).toContain('<th align="left">Name &amp; title</th><td>Ann &lt;Ann&gt;<br />Bcc: x@example.org</td>');
    expect(raw).toContain(`One<br />&lt;i&gt;Two&lt;/i&gt; \${footer}`);
    expect(raw).toContain('<html lang="en">');
    expect(raw).toContain('Dear colleague, Ann <Ann>');
    for (const part of ['Answer soon', 'spring', 'Agreed: Yes', 'filename=cv.txt', 'aGVsbG8'])
      expect(raw).toContain(part);
    expect(raw).not.toContain('<script>');
    expect(await rows()).toBe((before ?? 0) + 1);
  });

  it('mails have the titles of choices, also in their subject', async () => {
    const to = fresh();
    const schema = schemaOf({
      topic: { title: 'Topic', factory: 'label_choice_field', choices: [['s', 'Schools']] },
      ways: { title: 'Ways', factory: 'checkbox_group', values: [{ token: 'm', title: 'By mail' }, 'phone'] },
      size: { title: 'Size', widget: 'select', enum: [1], enumNames: ['Small'] },
    });
    const form = await page({ schema, send: true, recipients: to, subject: `About \${topic}` });
    expect((await submit(form, { topic: 's', ways: ['m', 'phone'], size: '1' })).status).toBe(204);
    const [mail] = await sink.arrived(to);
    expect(mail?.subject).toBe('About Schools');
    const raw = (mail?.raw ?? '').replaceAll('=\r\n', '').replaceAll('\r', '');
    for (const line of ['Topic: Schools', 'Ways:\nBy mail\nphone', 'Size: Small']) expect(raw).toContain(line);
    expect((await submit(form, { topic: 'Schools' })).status).toBe(400);
  });

  it('the template of the control panel makes the mail, and a sender of another domain is not believed', async () => {
    await changeSettings(site, 'form', {
      mail_template: `<html lang="\${lang}"><h1>\${title}</h1>\${fields}\${unknown}</html>`,
    });
    const to = fresh();
    const form = await page({
      schema: SCHEMA,
      title: 'Ask <us>',
      send: true,
      recipients: to,
      sender: 'ceo@bank.example',
      store: false,
    });
    expect((await submit(form, { name: 'Ann' })).status).toBe(204);
    const [mail] = await sink.arrived(to);
    expect(mail?.raw).toContain('<h1>Ask &lt;us&gt;</h1>');
    expect(mail?.headers).toMatchObject({ from: 'The Town <town@example.org>', 'reply-to': 'ceo@bank.example' });
    await changeSettings(site, 'form', { mail_template: '' });
  });

  it('a confirmation goes to the address that was filled in, without what is for the recipients, and not too often', async () => {
    const visitor = fresh();
    const form = await page({
      schema: SCHEMA,
      send: true,
      recipients: fresh(),
      admin_info: 'Internal',
      send_confirmation: true,
      confirmation_recipients: `\${mail}`,
      subject: 'Thanks',
    });
    expect((await submit(form, { name: 'Ann', mail: visitor, secret: 'spring' })).status).toBe(204);
    const [mail] = await sink.arrived(visitor);
    expect(mail?.envelope.to).toEqual([visitor]);
    expect(mail?.raw).not.toMatch(/Internal|spring/);
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await submit(form, { name: 'Ann', mail: visitor })).status);
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });

  it('a form with a list of fields mails its recipients, copies and an acknowledgement', async () => {
    const [to, visitor] = [fresh(), fresh()];
    const form = await page({
      '@type': 'form',
      subblocks: [
        { field_id: '1', label: 'Name', field_type: 'text' },
        { field_id: '2', label: 'E-mail', field_type: 'from', use_as_reply_to: true },
      ],
      send: ['recipient', 'acknowledgement'],
      default_to: to,
      default_subject: `Hello \${1}`,
      acknowledgementFields: '2',
      acknowledgementMessage: { data: '<p>We have <b>read</b> it.</p>' },
    });
    expect(
      (
        await submit(form, [
          { field_id: '1', value: 'Ann' },
          { field_id: '2', value: visitor },
        ])
      ).status,
    ).toBe(204);
    const [[mail], [thanks]] = [await sink.arrived(to), await sink.arrived(visitor)];
    expect([mail?.subject, mail?.headers['reply-to']]).toEqual(['Hello Ann', visitor]);
    expect(thanks?.raw).toContain('We have read it.');
  });
});

describe('forms on a site that cannot send', () => {
  const site = useTestSite(quickestEngine());
  const { page, submit, list } = formsOf(site);

  it('a form that only mails is refused without a mail server, one that keeps its data is taken', async () => {
    const only = await page({ store: false, send: true, recipients: 'a@example.org' });
    const { status, body } = await submit(only, { name: 'Ann' });
    expect([status, body.message]).toEqual([400, 'MailHost is not configured.']);
    const both = await page({ send: true, recipients: 'a@example.org' });
    expect((await submit(both, { name: 'Ann' })).status).toBe(204);
    expect((await list(both)).items_total).toBe(1);
  });
});

describe('a captcha of a package', () => {
  const seen: Json[] = [];
  const feature = defineFeature({
    name: 'sums',
    subscribe({ slots }) {
      slots.get(CAPTCHA_PROVIDERS).register({
        name: 'sum',
        title: 'A sum',
        fields: ['answer'],
        verify: async ({ captcha, data, clientAddress }) => {
          seen.push({ captcha, clientAddress });
          return captcha.token === '4' || data.get('answer') === '4';
        },
      });
    },
  });
  const site = useTestSite(quickestEngine(), () => ({ features: [feature] }));
  const { page, submit, kept } = formsOf(site);

  it('a provider that a feature registers decides about submissions', async () => {
    const form = await page({ captcha: 'sum' });
    expect((await submit(form, { name: 'Bot' })).status).toBe(400);
    expect((await submit(form, { name: 'Bot', answer: '5' }, { captcha: { token: '5' } })).status).toBe(400);
    expect((await submit(form, { name: 'Ann', answer: '4' })).status).toBe(204);
    expect((await submit(form, { name: 'Ben' }, { captcha: { provider: 'sum', token: '4' } })).status).toBe(204);
    expect(await kept(form)).toEqual(['Ben', 'Ann']);
    expect(seen.at(-1)).toMatchObject({ captcha: { token: '4' }, clientAddress: expect.stringContaining('127.0.0.1') });
  });
});
