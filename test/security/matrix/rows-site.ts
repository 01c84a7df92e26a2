import { ADMINISTRATORS, EVERYBODY, LOGGED_IN, MANAGER, ROOT_VIEW } from './patterns.ts';
import type { Row } from './row.ts';

const WEBHOOK = { webhook: '<new webhook>' };
const ENTRY = { recycle_id: '<entry of owner>' };
const RELATION = { source: '<related page>', target: '<page>', relation: 'relatedItems' };

// biome-ignore format: a table
/** Services of the site as a whole. Columns: Anonymous Member Reader Editor Contrib. Reviewer Owner SiteAdm. Manager */
export const SITE: Row[] = [
  { ask: 'GET /@site',                                                    ...EVERYBODY },
  { ask: 'GET /@@site-logo',                                              ...EVERYBODY },
  { ask: 'GET /@@site-logo/{filename}', with: { filename: 'logo.png' },   ...EVERYBODY },
  { ask: 'GET /@@html-pages/{hash}/{file}', with: { hash: '<hash of styles>', file: 'style.css' }, ...EVERYBODY },
  { ask: 'GET /@manage',                                                  ...EVERYBODY },
  { ask: 'GET /@manage/{view}', with: { view: 'content' },                ...EVERYBODY },
  { ask: 'GET /@manage/assets/{file}', with: { file: '<script of the page>' }, ...EVERYBODY },
  { ask: 'GET /@manage/modules/{module}', with: { module: 'missing' }, ok: '404', ...EVERYBODY },
  { ask: 'GET /@manage-pages',                                            ...EVERYBODY },
  { ask: 'GET /@manage/{view}/{item}', with: { view: 'users', item: 'jane' }, ...EVERYBODY },
  { ask: 'GET /@manage/{view}/{item}/{part}', with: { view: 'users', item: 'jane', part: 'groups' }, ...EVERYBODY },
  { ask: 'GET /@health',                                                  ...EVERYBODY },
  { ask: 'GET /@openapi',                                                 ...EVERYBODY },
  { ask: 'GET /@database',                                                ...ADMINISTRATORS },
  { ask: 'GET /@figures',                                                 ...ADMINISTRATORS },
  { ask: 'GET /@system',                                                  ...ADMINISTRATORS },
  { ask: 'GET /@blocktypes',                                              ...MANAGER },
  { ask: 'GET /@blocktypes/{type}', with: { type: 'slate' },              ...MANAGER },
  { ask: 'GET /@upgrade',                                                 ...MANAGER },
  { ask: 'POST /@upgrade', json: { dry_run: true }, ok: '200=',           ...MANAGER },

  { ask: 'GET /@linkintegrity', query: 'uids=<uid of page>',              ...ROOT_VIEW },
  { ask: 'GET /@relations',                                               ...ROOT_VIEW },
  { ask: 'GET /@relations', query: 'relation=relatedItems',               ...ROOT_VIEW },
  // The first row, because the site has the least content to index then.
  { ask: 'POST /@relations/rebuild', json: {}, ok: '204',                 ...MANAGER },
  // Callers who may view the site root can change relations of content that they may modify.
  { ask: 'POST /@relations', json: { items: [{ ...RELATION, source: '<new page>' }] }, ok: '204',
    private:      '401       403    403    ok     403      403      403   ok       ok',
    published:    '401       403    403    ok     403      403      ok    ok       ok' },
  { ask: 'DELETE /@relations', json: { items: [RELATION] }, ok: '204',
    private:      '401       403    403    ok     403      403      403   ok       ok',
    published:    '401       403    403    ok     403      403      ok    ok       ok' },
  { ask: 'DELETE /@relations', json: { source: '<related page>' }, ok: '204',
    private:      '401       403    403    ok     403      403      403   ok       ok',
    published:    '401       403    403    ok     403      403      ok    ok       ok' },

  // Everybody gets the changes of what they see, which may be none.
  { ask: 'GET /@changes',                                                 ...EVERYBODY },
  { ask: 'GET /@webhooks',                                                ...MANAGER },
  { ask: 'GET /@webhooks/{webhook}', with: WEBHOOK,                       ...MANAGER },
  { ask: 'GET /@webhooks/{webhook}/attempts', with: WEBHOOK,              ...MANAGER },
  { ask: 'POST /@webhooks', json: { title: 'Hook <n>', url: 'https://hooks.example.org/<n>', enabled: false }, ok: '201', ...MANAGER },
  { ask: 'PATCH /@webhooks/{webhook}', with: WEBHOOK, json: { title: 'Hook <n>' }, ok: '204', ...MANAGER },
  { ask: 'POST /@webhooks/{webhook}/secret', with: WEBHOOK,               ...MANAGER },
  { ask: 'POST /@webhooks/{webhook}/test', with: WEBHOOK,                 ...MANAGER },
  { ask: 'POST /@webhooks/{webhook}/replay', with: WEBHOOK, json: { from: '2099-01-01' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@webhooks/{webhook}', with: WEBHOOK, ok: '204',         ...MANAGER },

  { ask: 'GET /@audit-log',                                               ...MANAGER },
  { ask: 'GET /@audit-log/export',                                        ...MANAGER },
  { ask: 'GET /@transactions',                                            ...MANAGER },
  { ask: 'PATCH /@transactions', json: { transaction_ids: ['<transaction>'] },
                                                                          ...MANAGER },

  // Managers see the whole recycle bin; other users see what they deleted, here "Owner".
  { ask: 'GET /@recyclebin', lists: '<entry of owner>',                   ...LOGGED_IN },
  { ask: 'GET /@recyclebin/{recycle_id}', with: ENTRY,
    private:      '401       403    403    403    403      403      ok    403      ok',
    published:    '401       403    403    403    403      403      ok    403      ok' },
  { ask: 'POST /@recyclebin/{recycle_id}/restore', with: ENTRY, json: {},
    private:      '401       403    403    403    403      403      ok    403      ok',
    published:    '401       403    403    403    403      403      ok    403      ok' },
  { ask: 'DELETE /@recyclebin/{recycle_id}', with: ENTRY, ok: '204',
    private:      '401       403    403    403    403      403      ok    403      ok',
    published:    '401       403    403    403    403      403      ok    403      ok' },
  { ask: 'DELETE /@recyclebin', needs: '<entry of caller>', ok: '204',    ...LOGGED_IN },
];
