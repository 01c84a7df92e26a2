import { MODIFY, ROOT_VIEW, VIEW } from './patterns.ts';
import type { Answers, Row } from './row.ts';

// Columns:      Anonymous Member Reader Editor Contrib. Reviewer Owner SiteAdm. Manager

// "Owner" owns pages, but not the site root, where it is a Member.
// biome-ignore format: a table
const ROOT_MODIFY: Answers = {
  private:      '401       403    403    ok     403      403      403   ok       ok',
  published:    '401       403    403    ok     403      403      403   ok       ok',
};

const SENT = { block_id: 'form', data: { name: 'Name <n>' } };
// The form needs no codes, and only callers who may view the page get that message.
const CODE = { email: 'ann@example.org', uid: 'form', otp: '12345678' };
const ONE = { record: '<submission>' };
const SITE_ONE = { record: '<site submission>' };

// biome-ignore format: a table
/** The form on a page: callers who may view the page send it, and callers who may change the page read the submissions. */
export const FORMS_CONTENT: Row[] = [
  { ask: 'POST /{path}/@schemaform-data',      json: SENT, ok: '204',                     ...VIEW },
  { ask: 'POST /{path}/@submit-form',          json: SENT,                                ...VIEW },
  { ask: 'POST /{path}/@validate-email-address', json: CODE, ok: '400',                   ...VIEW },
  { ask: 'POST /{path}/@validate-email-token', json: CODE, ok: '400',                     ...VIEW },
  { ask: 'GET /{path}/@form-data',             query: 'block_id=form',                    ...MODIFY },
  { ask: 'GET /{path}/@form-data-export',      query: 'block_id=form',                    ...MODIFY },
  { ask: 'GET /{path}/@form-data/{record}/{field}', with: { ...ONE, field: 'cv' },        ...MODIFY },
  { ask: 'GET /{path}/@form-data/{record}/{field}/{number}', with: { ...ONE, field: 'cv', number: '0' }, ...MODIFY },
  { ask: 'DELETE /{path}/@form-data/{record}', with: ONE, ok: '204',                      ...MODIFY },
  { ask: 'DELETE /{path}/@form-data-clear',    json: { block_id: '<removed form>' }, ok: '204',      ...MODIFY },
];

// biome-ignore format: a table
/** The form on the site root. */
export const FORMS_ROOT: Row[] = [
  { ask: 'POST /@schemaform-data',             json: SENT, ok: '204',                     ...ROOT_VIEW },
  { ask: 'POST /@submit-form',                 json: SENT,                                ...ROOT_VIEW },
  { ask: 'POST /@validate-email-address',      json: CODE, ok: '400',                     ...ROOT_VIEW },
  { ask: 'POST /@validate-email-token',        json: CODE, ok: '400',                     ...ROOT_VIEW },
  { ask: 'GET /@form-data',                    query: 'block_id=form',                    ...ROOT_MODIFY },
  { ask: 'GET /@form-data-export',             query: 'block_id=form',                    ...ROOT_MODIFY },
  { ask: 'GET /@form-data/{record}/{field}',   with: { ...SITE_ONE, field: 'cv' },        ...ROOT_MODIFY },
  { ask: 'GET /@form-data/{record}/{field}/{number}', with: { ...SITE_ONE, field: 'cv', number: '0' },   ...ROOT_MODIFY },
  { ask: 'DELETE /@form-data/{record}',        with: SITE_ONE, ok: '204',                 ...ROOT_MODIFY },
  { ask: 'DELETE /@form-data-clear',           json: { block_id: '<removed site form>' }, ok: '204', ...ROOT_MODIFY },
];
