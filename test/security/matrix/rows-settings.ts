import { ADMINISTRATORS, LOGGED_IN, MANAGER } from './patterns.ts';
import type { Row } from './row.ts';

const WAITING = { uuid: '<job of owner>' };
const OVER = { uuid: '<job of owner that is over>' };
const UNKNOWN = { uuid: '<uuid>' };
const TYPE = { type: '<new type>' };
const FIELD = { ...TYPE, name: 'shelf' };
const RULE = { rule: '<new rule>' };
const LOGIN_PROVIDER = { provider: '<new login provider>' };
const ELEMENT = { ...RULE, index: '0' };
const SCHEDULED = { id: '<scheduled job>' };

// biome-ignore format: a table
/** Settings, jobs and add-ons. Columns: Anonymous Member Reader Editor Contrib. Reviewer Owner SiteAdm. Manager */
export const SETTINGS: Row[] = [
  { ask: 'GET /@controlpanels',                                           ...ADMINISTRATORS },
  { ask: 'GET /@controlpanels/{panel}', with: { panel: 'site' },          ...ADMINISTRATORS },
  { ask: 'PATCH /@controlpanels/{panel}', with: { panel: 'site' }, json: { site_title: 'Title <n>' }, ok: '204',                  ...ADMINISTRATORS },
  // Only Managers, because a change of the mail server or of links in mails would reveal the tokens in the mails.
  { ask: 'PATCH /@controlpanels/{panel}', with: { panel: 'site' }, json: { frontend_domain: 'https://front<n>.example.org' }, ok: '204', ...MANAGER },
  { ask: 'PATCH /@controlpanels/{panel}', with: { panel: 'mail' }, json: { email_from_name: 'Name <n>' }, ok: '204',              ...MANAGER },
  { ask: 'PATCH /@controlpanels/{panel}', with: { panel: 'cors' }, json: { allow_origin: ['https://from<n>.example.org'] }, ok: '204', ...MANAGER },
  { ask: 'GET /@controlpanels/dexterity-types',                         ...ADMINISTRATORS },
  { ask: 'GET /@controlpanels/dexterity-types/{type}', with: { type: 'Page' }, ...ADMINISTRATORS },
  { ask: 'POST /@controlpanels/dexterity-types', json: { title: 'Kind <n>' }, ok: '201', ...MANAGER },
  { ask: 'POST /@controlpanels/dexterity-types/{type}', with: { type: 'kind-<n>' }, json: { title: 'Kind' }, ok: '201', ...MANAGER },
  { ask: 'PATCH /@controlpanels/dexterity-types/{type}', with: { type: '<new type>' }, json: { title: 'Kind <n>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@controlpanels/dexterity-types/{type}', with: { type: '<new type>' }, ok: '204', ...MANAGER },
  { ask: 'POST /@types/{type}', with: TYPE, json: { factory: 'Integer', title: 'Field <n>' }, ok: '201', ...MANAGER },
  { ask: 'PATCH /@types/{type}', with: TYPE, json: { properties: { shelf: { title: 'Shelf <n>' } } }, ok: '204', ...MANAGER },
  { ask: 'PUT /@types/{type}', with: TYPE, json: { layouts: ['view_<n>'] }, ok: '204', ...MANAGER },
  { ask: 'PATCH /@types/{type}/{name}', with: FIELD, json: { title: 'Shelf <n>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@types/{type}/{name}', with: FIELD, ok: '204',        ...MANAGER },

  { ask: 'GET /@permissions',                                           ...MANAGER },
  { ask: 'GET /@permissions/{permission}', with: { permission: 'View' }, ...MANAGER },
  { ask: 'PATCH /@permissions', json: { 'List undoable changes': ['Manager', '<new role>'] }, ok: '204', ...MANAGER },
  { ask: 'GET /@workflows',                                             ...MANAGER },
  { ask: 'GET /@workflows/{workflow}', with: { workflow: 'one_state_workflow' }, ...MANAGER },
  { ask: 'POST /@workflows', json: { id: 'made_<n>', title: 'W', copy_of: 'one_state_workflow' }, ok: '201', ...MANAGER },
  { ask: 'PATCH /@workflows/{workflow}', with: { workflow: 'one_state_workflow' }, json: { title: 'Workflow <n>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@workflows/{workflow}', with: { workflow: '<new workflow>' }, ok: '204', ...MANAGER },
  { ask: 'GET /@actions/{category}', with: { category: 'user' },        ...MANAGER },
  { ask: 'POST /@actions/{category}', with: { category: 'user' }, json: { id: 'made<n>', title: 'Entry' }, ok: '201', ...MANAGER },
  { ask: 'PATCH /@actions/{category}', with: { category: '<new menu>' }, json: { order: ['b', 'a'] }, ok: '204', ...MANAGER },
  { ask: 'PATCH /@actions/{category}/{action}', with: { category: 'user', action: 'login' }, json: { title: 'Entry <n>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@actions/{category}/{action}', with: { category: '<new menu>', action: 'a' }, ok: '204', ...MANAGER },
  { ask: 'POST /@vocabularies', json: { id: 'made<n>', title: 'V', items: [] }, ok: '201', ...MANAGER },
  { ask: 'PATCH /@vocabularies/{name}', with: { name: '<new vocabulary>' }, json: { title: 'Vocabulary <n>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@vocabularies/{name}', with: { name: '<new vocabulary>' }, ok: '204', ...MANAGER },
  { ask: 'GET /@catalog-setup',                                         ...MANAGER },
  { ask: 'PATCH /@catalog-setup', json: { indexes: [{ name: 'place_<n>', type: 'field', attr: 'location' }] }, ok: '204', ...MANAGER },
  { ask: 'GET /@workflow-types',                                        ...MANAGER },
  { ask: 'PATCH /@workflow-types', json: { '<new type>': 'one_state_workflow' }, ok: '204', ...MANAGER },
  { ask: 'POST /@roles', json: { title: 'Role <n>' }, ok: '201',        ...MANAGER },
  { ask: 'PATCH /@roles/{id}', with: { id: '<new role>' }, json: { title: 'Role <n>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@roles/{id}', with: { id: '<new role>' }, ok: '204',  ...MANAGER },

  { ask: 'GET /@controlpanels/login-providers',                         ...MANAGER },
  { ask: 'POST /@controlpanels/login-providers', json: { id: 'p<n>', title: 'The town', issuer: 'https://login.example.org', client_id: 'canopy', enabled: false }, ok: '201', ...MANAGER },
  { ask: 'GET /@controlpanels/login-providers/{provider}', with: LOGIN_PROVIDER, ...MANAGER },
  { ask: 'PATCH /@controlpanels/login-providers/{provider}', with: LOGIN_PROVIDER, json: { title: 'Town <n>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@controlpanels/login-providers/{provider}', with: LOGIN_PROVIDER, ok: '204', ...MANAGER },
  { ask: 'GET /@controlpanels/content-rules',                           ...MANAGER },
  { ask: 'POST /@controlpanels/content-rules', json: { title: 'Rule <n>', event: 'onAfterMove' }, ok: '201', ...MANAGER },
  { ask: 'GET /@controlpanels/content-rules/{rule}', with: RULE,        ...MANAGER },
  { ask: 'PATCH /@controlpanels/content-rules/{rule}', with: RULE, json: { title: 'Rule <n>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@controlpanels/content-rules/{rule}', with: RULE, ok: '204', ...MANAGER },
  { ask: 'POST /@controlpanels/content-rules/{rule}/condition', with: RULE, json: { type: 'file_extension', file_extension: 'pdf' }, ok: '201', ...MANAGER },
  { ask: 'GET /@controlpanels/content-rules/{rule}/condition/{index}', with: ELEMENT, ...MANAGER },
  { ask: 'PATCH /@controlpanels/content-rules/{rule}/condition/{index}', with: ELEMENT, json: { file_extension: 'e<n>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@controlpanels/content-rules/{rule}/condition/{index}', with: ELEMENT, ok: '204', ...MANAGER },
  { ask: 'POST /@controlpanels/content-rules/{rule}/action', with: RULE, json: { type: 'logger', message: 'It moved.' }, ok: '201', ...MANAGER },
  { ask: 'GET /@controlpanels/content-rules/{rule}/action/{index}', with: ELEMENT, ...MANAGER },
  { ask: 'PATCH /@controlpanels/content-rules/{rule}/action/{index}', with: ELEMENT, json: { message: 'It moved <n> times.' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@controlpanels/content-rules/{rule}/action/{index}', with: ELEMENT, ok: '204', ...MANAGER },
  { ask: 'GET /@content-rules',                                         ...ADMINISTRATORS },
  { ask: 'POST /@content-rules', ok: '400',                             ...ADMINISTRATORS },
  { ask: 'POST /@content-rules/{rule}', with: RULE, ok: '201',          ...ADMINISTRATORS },
  { ask: 'PATCH /@content-rules', json: { 'form.button.Disable': true, rule_ids: ['<assigned rule>'] }, ok: '200', ...ADMINISTRATORS },
  { ask: 'DELETE /@content-rules', json: { rule_ids: ['<assigned rule>'] }, ok: '204', ...ADMINISTRATORS },
  { ask: 'GET /{path}/@content-rules',                                  ...ADMINISTRATORS },
  { ask: 'POST /{path}/@content-rules', ok: '400',                      ...ADMINISTRATORS },
  { ask: 'POST /{path}/@content-rules/{rule}', with: RULE, ok: '201',   ...ADMINISTRATORS },
  { ask: 'PATCH /{path}/@content-rules', json: { 'form.button.ApplyOnWholeSite': true, rule_ids: ['<new rule>'] }, ok: '200', ...ADMINISTRATORS },
  { ask: 'DELETE /{path}/@content-rules', json: { rule_ids: ['<new rule>'] }, ok: '204=', ...ADMINISTRATORS },
  { ask: 'GET /@notifications',                                         ...LOGGED_IN },
  { ask: 'DELETE /@notifications', needs: '<message for caller>', ok: '204', ...LOGGED_IN },
  { ask: 'DELETE /@notifications/{id}', with: { id: '<message for caller>' }, ok: '204', ...LOGGED_IN },
  { ask: 'DELETE /@notifications/{id}', with: { id: '<message for somebody else>' }, ok: '404', ...LOGGED_IN },

  { ask: 'GET /@registry',                                                ...MANAGER },
  { ask: 'GET /@registry/{name}', with: { name: 'plone.site_title' },     ...MANAGER },
  { ask: 'PATCH /@registry', json: { 'plone.site_title': 'Title <n>' }, ok: '204',                      ...MANAGER },

  { ask: 'GET /@addons',                                                  ...MANAGER },
  { ask: 'GET /@addons/{id}', with: { id: '<new add-on>' },               ...MANAGER },
  { ask: 'POST /@language-folders', json: {}, ok: '400',                                                ...MANAGER },
  { ask: 'POST /@addons/{id}/install', with: { id: '<new add-on>' }, ok: '204',                         ...MANAGER },
  { ask: 'POST /@addons/{id}/uninstall', with: { id: '<installed add-on>' }, ok: '204',                 ...MANAGER },
  { ask: 'POST /@addons/{id}/upgrade', with: { id: '<outdated add-on>' }, ok: '204',                    ...MANAGER },
  { ask: 'POST /@addons/{id}/import/{profile}', with: { id: '<installed add-on>', profile: 'more' }, ok: '204',                   ...MANAGER },

  // Managers see all jobs; other users see only their own, here those of "Owner", and get the same response whether or not
  // other jobs exist.
  { ask: 'GET /@bulk/{id}', with: { id: '<bulk change of owner>' },
    private:      '401       404    404    404    404      404      ok    404      ok',
    published:    '401       404    404    404    404      404      ok    404      ok' },
  { ask: 'GET /@jobs', lists: '<job of owner>',                           ...LOGGED_IN },
  { ask: 'GET /@jobs/{uuid}', with: UNKNOWN, ok: '404',                   ...MANAGER },
  { ask: 'GET /@jobs/{uuid}', with: WAITING,
    private:      '401       403    403    403    403      403      ok    403      ok',
    published:    '401       403    403    403    403      403      ok    403      ok' },
  { ask: 'GET /@jobs/{uuid}/result', with: OVER,
    private:      '401       403    403    403    403      403      ok    403      ok',
    published:    '401       403    403    403    403      403      ok    403      ok' },
  { ask: 'DELETE /@jobs/{uuid}', with: UNKNOWN, ok: '404',                ...MANAGER },
  { ask: 'DELETE /@jobs/{uuid}', with: WAITING, ok: '204',
    private:      '401       403    403    403    403      403      ok    403      ok',
    published:    '401       403    403    403    403      403      ok    403      ok' },
  { ask: 'POST /@jobs/{uuid}/abort', with: WAITING, ok: '204',
    private:      '401       403    403    403    403      403      ok    403      ok',
    published:    '401       403    403    403    403      403      ok    403      ok' },
  { ask: 'POST /@jobs/{uuid}/retry', with: OVER, ok: '204',
    private:      '401       403    403    403    403      403      ok    403      ok',
    published:    '401       403    403    403    403      403      ok    403      ok' },
  // A job that was started with the rights of a Manager can be retried only by Managers.
  { ask: 'POST /@jobs/{uuid}/retry', with: { uuid: '<job of owner as a Manager>' }, ok: '204',          ...MANAGER },

  // An import brings users with any roles.
  { ask: 'GET /@imports',                                                 ...MANAGER },
  { ask: 'POST /@imports', query: 'filename=a.json', json: [], headers: { 'Content-Type': 'application/octet-stream' }, ok: '201', ...MANAGER },
  { ask: 'GET /@imports/{id}', with: { id: '<uploaded export>' },         ...MANAGER },
  { ask: 'GET /@imports/{id}/lines', with: { id: '<uploaded export>' },   ...MANAGER },
  { ask: 'POST /@imports/{id}/start', with: { id: '<uploaded export>' }, json: { dry_run: true }, ok: '202', ...MANAGER },
  { ask: 'DELETE /@imports/{id}', with: { id: '<uploaded export>' }, ok: '204', ...MANAGER },

  // An export has all content, and hashes of passwords.
  { ask: 'GET /@exports',                                                 ...MANAGER },
  { ask: 'POST /@exports', json: {}, ok: '202',                           ...MANAGER },
  { ask: 'GET /@exports/{id}', with: { id: '<made export>' },             ...MANAGER },
  { ask: 'GET /@exports/{id}/file', with: { id: '<made export>' },        ...MANAGER },
  { ask: 'DELETE /@exports/{id}', with: { id: '<made export>' }, ok: '204', ...MANAGER },

  { ask: 'GET /@cache-purges',                                            ...MANAGER },
  { ask: 'POST /@cache-purges', json: {}, ok: '400',                      ...MANAGER },
  { ask: 'PUT /@cache-purges/token', json: { token: 'token-<n>' }, ok: '204',                           ...MANAGER },
  { ask: 'DELETE /@cache-purges/token', ok: '204',                        ...MANAGER },

  { ask: 'GET /@scheduled-job-actions',                                   ...MANAGER },
  { ask: 'GET /@scheduled-jobs',                                          ...MANAGER },
  { ask: 'GET /@scheduled-jobs/{id}', with: SCHEDULED,                    ...MANAGER },
  { ask: 'POST /@scheduled-jobs', json: { id: 'made-<n>', action: 'reindex', params: { type: ['Page'] } }, ok: '201',             ...MANAGER },
  { ask: 'PATCH /@scheduled-jobs/{id}', with: SCHEDULED, json: { title: 'Title <n>' }, ok: '204',       ...MANAGER },
  { ask: 'DELETE /@scheduled-jobs/{id}', with: SCHEDULED, ok: '204',      ...MANAGER },
  { ask: 'POST /@scheduled-jobs/{id}/start', with: SCHEDULED, ok: '204',  ...MANAGER },
];
