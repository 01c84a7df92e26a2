import { expect, it } from 'vitest';
import { changeSettings } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { type FormPage, formsOf } from './form-site.ts';

/** Most bytes of a refusal. */
const MAX_REFUSAL_BYTES = 50_000;

describeEachEngine('bounds of forms', (engine) => {
  const site = useTestSite(engine);
  const { page, submit, kept } = formsOf(site);
  const many = (count: number, of: (n: number) => unknown) => Array.from({ length: count }, (_, n) => of(n));
  const names = (count: number) => Object.fromEntries(many(count, (n) => [`n${n}`, 1]) as [string, number][]);

  /** The same submission as JSON, as a form, and by the service of the other clients. */
  async function everyWay(form: FormPage, data: unknown, more: Json = {}) {
    const parts = new FormData();
    parts.set('block_id', form.id);
    parts.set('data', JSON.stringify(data));
    const json = { block_id: form.id, data, ...more };
    return [
      await site.request('POST', `${form.path}/@schemaform-data`, { json, as: 'anonymous' }),
      await site.request('POST', `${form.path}/@submit-form`, { json, as: 'anonymous' }),
      await fetch(`${site.url}${form.path}/@schemaform-data`, {
        method: 'POST',
        headers: { Accept: 'application/json' },
        body: parts,
      }).then(async (response) => ({ status: response.status, text: await response.text() })),
    ];
  }

  it('a submission of more values than forms have is 413, as JSON and as a form, also by a user and with a captcha', async () => {
    for (const captcha of ['', 'honeypot']) {
      const form = await page(captcha === '' ? {} : { captcha });
      const tooMany = [
        many(10_001, () => 1),
        names(10_001),
        many(3_500, (n) => ({ field_id: `n${n}`, value: 1 })),
        { name: many(10_001, () => '') },
      ];
      for (const data of tooMany)
        for (const { status, text } of await everyWay(form, data)) {
          expect([status, JSON.parse(text).message]).toEqual([
            413,
            'The body is larger than the limit of 10000 values.',
          ]);
        }
      expect((await submit(form, {}, { attachments: names(10_001) })).status).toBe(413);
      expect((await submit(form, names(10_001), { as: 'admin' })).status).toBe(413);
      expect(await kept(form)).toEqual([]);
    }
  });

  it('the texts of a submission that comes as a form have a mebibyte together, beside its files', async () => {
    const form = await page();
    const send = async (bytes: number) => {
      const parts = new FormData();
      parts.set('block_id', form.id);
      parts.set('data', JSON.stringify({ name: 'Ann' }));
      parts.set('note', 'x'.repeat(bytes));
      parts.set('picture', new Blob(['y'.repeat(2 ** 21)], { type: 'text/plain' }), 'long.txt');
      const options = { method: 'POST', headers: { Accept: 'application/json' }, body: parts };
      return (await fetch(`${site.url}${form.path}/@schemaform-data`, options)).status;
    };
    expect(await send(2 ** 20)).toBe(413);
    expect(await send(2 ** 20 - 1000)).not.toBe(413);
  });

  it('a refusal names the first fifty problems and says that there are more', async () => {
    const form = await page();
    for (const data of [many(9_000, () => 1), names(9_000), many(3_000, (n) => ({ field_id: `n${n}`, value: 1 }))])
      for (const { status, text } of await everyWay(form, data)) {
        const { errors } = JSON.parse(text);
        expect([status, errors.length, errors.at(-1).message]).toEqual([
          400,
          51,
          'There are more problems than these.',
        ]);
        expect(text.length).toBeLessThan(MAX_REFUSAL_BYTES);
      }
    const { text } = await submit(form, { name: 'Ann' }, { attachments: names(5_000) });
    expect(text.length).toBeLessThan(MAX_REFUSAL_BYTES);
    const long = Object.fromEntries(many(100, (n) => [`${n}`.padEnd(2000, 'x'), 1]) as [string, number][]);
    expect((await submit(form, long)).text.length).toBeLessThan(MAX_REFUSAL_BYTES);
  });

  it('the captcha and the limit of submissions come before the values are looked at', async () => {
    const form = await page({ captcha: 'honeypot' });
    const wrong = await submit(form, { nothing: 1, protected_1: 'a program' });
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('captcha was not solved')]);
    expect(wrong.body.errors).toBeUndefined();
    await changeSettings(site, 'form', { submissions_per_hour: 1 });
    try {
      expect((await submit(form, { name: 'Ann' })).status).toBe(204);
      expect((await submit(form, { nothing: 1 })).status).toBe(429);
    } finally {
      await changeSettings(site, 'form', { submissions_per_hour: 200 });
    }
  });
});
