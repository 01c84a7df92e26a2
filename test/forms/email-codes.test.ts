import { describe, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useMailingSite } from '../support/use-site.ts';
import { type FormPage, formsOf } from './form-site.ts';

const LISTED = {
  '@type': 'form',
  email_otp_verification: true,
  send: ['recipient'],
  default_to: 'office@example.org',
  subblocks: [
    { field_id: '11', label: 'Name', field_type: 'text' },
    { field_id: '12', label: 'Copy to', field_type: 'from', use_as_bcc: true },
  ],
};

describeEachEngine('codes that verify addresses of forms', (engine) => {
  const { site, sink } = useMailingSite(engine);
  const { page, kept, list } = formsOf(site);
  let made = 0;
  const freshAddress = (): string => {
    made += 1;
    return `ann${made}@example.org`;
  };

  const post = (path: string, json: Json) => site.request('POST', path, { json, as: 'anonymous' });
  const ask = (form: FormPage, email: string) => post(`${form.path}/@validate-email-address`, { email, uid: form.id });
  const check = async (form: FormPage, email: string, otp: string): Promise<number> =>
    (await post(`${form.path}/@validate-email-token`, { email, uid: form.id, otp })).status;
  const send = (form: FormPage, email: string, otp?: string) =>
    post(`${form.path}/@submit-form`, {
      block_id: form.id,
      data: [
        { field_id: '11', value: 'Ann' },
        { field_id: '12', value: email, ...(otp === undefined ? {} : { otp }) },
      ],
    });
  /** Requests a code and returns the one in the mail. */
  async function codeFor(form: FormPage, email: string): Promise<string> {
    const before = sink.mails.filter(({ envelope }) => envelope.to.includes(email)).length;
    const { status, text } = await ask(form, email);
    expect([status, text]).toEqual([204, '']);
    const mails = await sink.arrived(email, before + 1);
    return /^\d{8}$/m.exec(mails.at(-1)?.text.replaceAll('\r', '') ?? '')?.[0] ?? '';
  }

  it('a form is taken with the code that was mailed to the address, once', async () => {
    const [form, email] = [await page(LISTED), freshAddress()];
    const code = await codeFor(form, email);
    expect(code).toMatch(/^\d{8}$/);
    const wrong = code === '00000000' ? '11111111' : '00000000';
    expect([await check(form, email, wrong), await check(form, email, code)]).toEqual([400, 204]);
    expect(await check(form, email.toUpperCase(), ` ${code.slice(0, 4)} ${code.slice(4)} `)).toBe(204);
    const refused = await send(form, email, wrong);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [expect.objectContaining({ field: '12', message: 'The code is wrong, or its time is over.' })],
    ]);
    expect((await send(form, email)).body.errors).toEqual([
      expect.objectContaining({ field: '12', message: 'Needs the code that was mailed to this address.' }),
    ]);
    expect((await list(form)).items_total).toBe(0);
    const statuses = await Promise.all([1, 2, 3].map(async () => (await send(form, email, code)).status));
    expect(statuses.sort()).toEqual([200, 400, 400]);
    expect((await list(form)).items_total).toBe(1);
    expect((await sink.arrived(email, 2)).at(-1)?.text).toContain('Ann');
    expect(await check(form, email, code)).toBe(400);
    expect((await kept(form, '12')).map((item) => (item as Json).value)).toEqual([email]);
  });

  it('a code counts for one form and one address, for a quarter of an hour, and is not stored', async () => {
    const [form, other, email] = [await page(LISTED), await page(LISTED), freshAddress()];
    const code = await codeFor(form, email);
    expect([await check(other, email, code), await check(form, `x${email}`, code)]).toEqual([400, 400]);
    const dump = JSON.stringify([
      await site.kernel.db.query({ text: 'select * from email_code' }),
      await site.kernel.db.query({ text: `select * from queue_item where kind = 'mail'` }),
    ]);
    expect(dump).toContain('$argon2id$');
    expect(dump).not.toContain(code);
    await site.kernel.db.query({ text: "update email_code set expires = now() - interval '1 second'" });
    expect(await check(form, email, code)).toBe(400);
    expect((await send(form, email, code)).status).toBe(400);
    const next = await codeFor(form, email);
    expect([await check(form, email, code), await check(form, email, next)]).toEqual([code === next ? 204 : 400, 204]);
  });

  it('after five wrong codes the right one does not help either, but a new one does', async () => {
    const [form, email] = [await page(LISTED), freshAddress()];
    const code = await codeFor(form, email);
    const wrong = code === '00000000' ? '11111111' : '00000000';
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await check(form, email, wrong)).toBe(400);
    expect(await check(form, email, code)).toBe(400);
    expect(await check(form, email, await codeFor(form, email))).toBe(204);
  });

  it('codes are tried where wrong ones are counted, and nowhere else', async () => {
    const [form, email] = [await page(LISTED), freshAddress()];
    const code = await codeFor(form, email);
    const json = { email, uid: form.id, otp: code };
    const path = `${form.path}/@validate-email-token`;
    const keyed = await site.request('POST', path, { json, as: 'anonymous', headers: { 'Idempotency-Key': 'once' } });
    const dry = await site.request('POST', `${path}?dry_run=1`, { json });
    for (const { status, text } of [keyed, dry])
      expect([status, text]).toEqual([400, expect.stringContaining('is not possible here')]);
    expect((await site.request('POST', `${path}?dry_run=1`, { json, as: 'anonymous' })).status).toBe(401);
    expect(await check(form, email, code)).toBe(204);
  });

  it('one address gets five codes in an hour', async () => {
    const [form, email] = [await page(LISTED), freshAddress()];
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await ask(form, email)).status));
    expect(statuses.sort()).toEqual([204, 204, 204, 204, 204, 429, 429, 429]);
    await site.kernel.db.query({ text: "update visitor_request set at = at - interval '61 minutes'" });
    expect((await ask(form, email)).status).toBe(204);
  });

  it('one network gets thirty codes in an hour', async () => {
    const form = await page(LISTED);
    await site.kernel.db.query({ text: 'delete from visitor_request' });
    const statuses = await Promise.all(
      Array.from({ length: 33 }, async () => (await ask(form, freshAddress())).status),
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(30);
    await site.kernel.db.query({ text: 'delete from visitor_request' });
  });

  describe('a code is mailed by forms that ask for codes alone', () => {
    it.each<[string, Json, Json, RegExp]>([
      ['no form', LISTED, { uid: 'none' }, /no form/],
      ['a form that verifies nothing', { ...LISTED, email_otp_verification: false }, {}, /does not verify/],
      ['no address', LISTED, { email: 'ann' }, /address/],
      ['two addresses', LISTED, { email: 'ann@example.org, ben@example.org' }, /address/],
      ['an address with a header', LISTED, { email: 'ann@example.org\r\nBcc: ben@example.org' }, /address/],
      ['a missing address', LISTED, { email: undefined }, /email/],
    ])('%s is 400', async (_what, block, more, message) => {
      const form = await page(block);
      const { status, text } = await post(`${form.path}/@validate-email-address`, {
        ...{ email: 'ann@example.org', uid: form.id },
        ...more,
      });
      expect([status, text]).toEqual([400, expect.stringMatching(message)]);
    });

    it('no code is mailed for visitors who may not view the page', async () => {
      const form = await page(LISTED, { state: 'private' });
      expect((await ask(form, freshAddress())).status).toBe(401);
      expect(await check(form, freshAddress(), '12345678')).toBe(401);
    });
  });

  it('a form that verifies addresses needs no code where no copy is wanted', async () => {
    const form = await page(LISTED);
    const { status } = await post(`${form.path}/@submit-form`, {
      block_id: form.id,
      data: [{ field_id: '11', value: 'Ann' }],
    });
    expect(status).toBe(200);
  });
});
