import { expect } from 'vitest';
import type { Json } from '../../support/site.ts';
import type { EffectSite, Effects } from './effect.ts';

const SCHEMA = {
  fieldsets: [{ id: 'default', title: 'Default', fields: ['name', 'cv'] }],
  properties: { name: { title: 'Name', factory: 'label_text_field' }, cv: { title: 'CV', factory: 'File Upload' } },
  required: [],
};

/** A page with a form that keeps and mails what is sent. Returns a function that sends it and returns the status. */
async function formOn(context: EffectSite): Promise<(data: Json) => Promise<number>> {
  const form = { '@type': 'schemaForm', schema: SCHEMA, store: true, send: true, recipients: 'office@example.org' };
  const path = await context.create({ blocks: { form }, blocks_layout: { items: ['form'] } });
  return async (data) =>
    (await context.site.request('POST', `${path}/@schemaform-data`, { json: { block_id: 'form', data } })).status;
}

export const FORM_EFFECTS: Effects = {
  'form.mail_template': async (context) => {
    await context.set('form', { mail_template: '<h1>Dear office</h1>$' + '{fields}' });
    expect(await (await formOn(context))({ name: 'Ann' })).toBe(204);
    const text = `select data->>'html' as html from queue_item where kind = 'mail' and data->'to'->0->>'address' = 'office@example.org'`;
    const mails = await context.site.kernel.db.query<{ html: string }>({ text });
    expect(mails.map(({ html }) => html)).toContainEqual(expect.stringMatching(/^<h1>Dear office<\/h1><tr>/));
    await context.site.kernel.db.query({ text: `delete from queue_item where kind = 'mail'` });
  },
  'form.submissions_per_hour': async (context) => {
    const send = await formOn(context);
    await context.set('form', { submissions_per_hour: 1 });
    expect([await send({ name: 'Ann' }), await send({ name: 'Ann' })]).toEqual([204, 429]);
    await context.set('form', { submissions_per_hour: 200 });
  },
  'form.attachments_limit': async (context) => {
    const cv = { data: Buffer.alloc(1_100_000).toString('base64'), encoding: 'base64', filename: 'cv.bin' };
    const send = await formOn(context);
    await context.set('form', { attachments_limit: 1 });
    expect(await send({ cv })).toBe(400);
    await context.set('form', { attachments_limit: 2 });
    expect(await send({ cv })).toBe(204);
  },
};
