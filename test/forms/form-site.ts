import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Json, Who } from '../support/site.ts';
import type { SharedSite } from '../support/use-site.ts';

/** The schema of a form with these properties in one fieldset. */
export const schemaOf = (properties: Json, required: string[] = []): Json => ({
  fieldsets: [{ id: 'default', title: 'Default', fields: Object.keys(properties) }],
  properties,
  required,
});

/** A form on a page. */
export type FormPage = { path: string; id: string };

const NAME = { name: { title: 'Your name', type: 'string', factory: 'label_text_field' } };

/** Helpers of tests about forms. */
export function formsOf(site: SharedSite) {
  /** Creates a page with a form block, published unless it shall stay private. */
  async function page(
    block: Json = {},
    { state = 'published', wrap = (blocks: Json): Json => blocks } = {},
  ): Promise<FormPage> {
    const id = randomUUID();
    const form = { '@type': 'schemaForm', schema: schemaOf(NAME), store: true, send: false, data_wipe: -1, ...block };
    const json = { '@type': 'Page', title: 'Contact', blocks: wrap({ [id]: form }), blocks_layout: { items: [id] } };
    const { status, body } = await site.request('POST', '/', { json });
    expect([status, body.message]).toEqual([201, undefined]);
    if (state === 'published') await site.request('POST', `/${body.id}/@workflow/publish`, { json: {} });
    return { path: `/${body.id}`, id };
  }
  const submit = (form: FormPage, data: Json, { as = 'anonymous' as Who, ...more }: Json = {}) =>
    site.request('POST', `${form.path}/@schemaform-data`, { json: { block_id: form.id, data, ...more }, as });
  async function list(form: FormPage, query = ''): Promise<Json> {
    const { status, body } = await site.request('GET', `${form.path}/@form-data?block_id=${form.id}${query}`);
    expect([status, body.message]).toEqual([200, undefined]);
    return body;
  }
  /** The stored values of one field, the newest first. */
  const kept = async (form: FormPage, field = 'name'): Promise<unknown[]> =>
    (await list(form)).items.map((item: Json) => item[field]);
  const days = (form: FormPage, age: number) =>
    site.kernel.db.query({
      text: `update form_submission set created = created - make_interval(days => $2) where block = $1`,
      values: [form.id, age],
    });
  const rows = async (): Promise<number | undefined> =>
    (await site.kernel.db.query<{ n: number }>({ text: 'select count(*)::int as n from form_submission' }))[0]?.n;
  return { page, submit, list, kept, days, rows };
}

export const FILE = {
  data: Buffer.from('hello').toString('base64'),
  encoding: 'base64',
  filename: 'a.txt',
  'content-type': 'text/plain',
};

export const ALL = schemaOf(
  {
    name: { title: 'Name', type: 'string', factory: 'label_text_field', maxLength: '20', minLength: 2 },
    mail: { title: 'E-mail', type: 'string', factory: 'label_email', widget: 'email' },
    web: { title: 'Web', factory: 'URL' },
    age: { title: 'Age', factory: 'number', type: 'number', minimum: 18, maximum: 120 },
    count: { title: 'Count', factory: 'label_integer_field', type: 'integer' },
    agreed: { title: 'Agreed', factory: 'termsAccepted', type: 'boolean' },
    day: { title: 'Day', factory: 'label_date_field' },
    at: { title: 'At', factory: 'label_datetime_field' },
    time: { title: 'Time', factory: 'time' },
    country: {
      title: 'Country',
      factory: { label: 'List', value: 'label_choice_field' },
      choices: [
        ['nl', 'Netherlands'],
        ['de', 'Germany'],
      ],
    },
    likes: { title: 'Likes', factory: 'checkbox_group', values: ['tea', 'coffee'] },
    source: { title: 'Source', factory: 'hidden' },
    cv: { title: 'CV', factory: 'File Upload', type: 'object' },
    note: { title: 'Note', factory: 'static_text' },
  },
  ['name', 'agreed', 'note'],
);
export const GOOD = {
  name: 'Ann',
  mail: 'ann@example.org',
  web: 'https://example.org/x?y=1',
  age: '42',
  count: 3,
  agreed: true,
  day: '2026-05-01',
  at: '2026-05-01T10:00:00Z',
  time: '9:5',
  country: 'nl',
  likes: ['tea', 'coffee'],
  source: 'newsletter',
};
