import {
  ADD,
  ADD_PARTS,
  ADMINISTRATORS,
  DECIDE,
  DELEGATE,
  LOGGED_IN,
  MAKE_RELEASES,
  MANAGER,
  MODIFY,
  NOBODY,
  PROPOSE,
  PUBLISH_PARTS,
  PUBLISH_RELEASES,
  ROOT_ADD,
  ROOT_DECIDE,
  ROOT_DELEGATE,
  ROOT_MODIFY,
  ROOT_PROPOSE,
  ROOT_SEE_PROPOSAL,
  ROOT_VIEW,
  ROOT_VIEW_LOGGED_IN,
  SEE_PARTS,
  SEE_PROPOSAL,
  VIEW,
  VIEW_LOGGED_IN,
} from './patterns.ts';
import type { Row } from './row.ts';

const CHILD = { '@type': 'Page', title: 'Child <n>' };
const LISTING = { query: [{ i: 'portal_type', o: 'plone.app.querystring.operation.selection.any', v: ['Page'] }] };
const READER = { entries: [{ id: '<new user>', type: 'user', roles: { Reader: true } }] };
const AT_NIGHT = { transition: 'publish', at: '2090-01-01T00:00:00Z' };
const QUESTION = { prompt: 'What is this?' };
const TITLE = { title: 'Changed <n>' };
const PLAN = {
  conflicts: 'take',
  entries: [
    {
      ...{ change: 'changed', uid: '<uid of page>', path: '/page', type: 'Page', settings: {} },
      values: { description: { to: 'Text <n>' } },
    },
  ],
};
/** Plans that come in parts are those of one user, whatever others may do. */
const STORED_PLAN = { id: '<plan of owner>' };
const TAGS = { tags: { add: ['tag-<n>'], remove: [] } };
const REPLACE = { pattern: 'old', replacement: 'new <n>' };

// biome-ignore format: a table
/** Changing a page. Columns: Anonymous Member Reader Editor Contrib. Reviewer Owner SiteAdm. Manager */
export const WRITING_CONTENT: Row[] = [
  { ask: 'POST /{path}', json: CHILD, ok: '201',                          ...ADD },
  { ask: 'PATCH /{path}', json: { title: 'Changed <n>' }, ok: '204',      ...MODIFY },
  { ask: 'PATCH /{path}', with: { path: '<new page>' }, json: { id: 'renamed-<n>' }, ok: '204',         ...MODIFY },
  { ask: 'PATCH /{path}', with: { path: '<new container>' }, json: { ordering: { obj_id: 'second', delta: 'top' } }, ok: '204',   ...MODIFY },
  { ask: 'DELETE /{path}', with: { path: '<new page>' }, ok: '204',       ...MODIFY },

  { ask: 'POST /{path}/@lock', with: { path: '<new page>' },              ...MODIFY },
  { ask: 'PATCH /{path}/@lock', with: { path: '<page locked by caller>' },                              ...MODIFY },
  { ask: 'DELETE /{path}/@lock', with: { path: '<page locked by caller>' },                             ...MODIFY },

  { ask: 'POST /{path}/@scheduled-transitions', with: { path: '<new page>' }, json: AT_NIGHT, ok: '201',                           ...DELEGATE },
  { ask: 'DELETE /{path}/@scheduled-transitions/{id}', with: { id: '<scheduled transition>' }, ok: '204',                    ...DELEGATE },
  { ask: 'POST /{path}/@proposals', with: { path: '<new page>' }, json: { title: 'P', requests: [{ method: 'PATCH', path: '<new page>', body: TITLE }] }, ok: '201', ...PROPOSE },
  { ask: 'PATCH /{path}/@proposals/{id}', with: { id: '<proposal of caller>' }, json: { title: 'Title <n>' }, ...VIEW_LOGGED_IN },
  { ask: 'POST /{path}/@proposals/{id}/approve', with: { id: '<proposal of reader>' }, json: {}, ...DECIDE },
  { ask: 'POST /{path}/@proposals/{id}/reject', with: { id: '<proposal of reader>' }, json: { comment: 'X' }, ...DECIDE },
  { ask: 'POST /{path}/@proposals/{id}/withdraw', with: { id: '<proposal of caller>' }, ...VIEW_LOGGED_IN },
  { ask: 'POST /{path}/@proposals/{id}/comments', with: { id: '<proposal of reader>' }, json: { text: 'X' }, ok: '201', ...SEE_PROPOSAL },
  { ask: 'POST /{path}/@proposals/{id}/preview-links', with: { id: '<proposal of reader>' }, json: {}, ok: '201', ...DECIDE },
  { ask: 'DELETE /{path}/@proposals/{id}/preview-links/{link}', with: { id: '<linked proposal>', link: 'link-<linked proposal>' }, ok: '204', ...DECIDE },
  { ask: 'POST /{path}/@preview-links', json: { title: 'Link <n>' }, ok: '201',                         ...MODIFY },
  { ask: 'DELETE /{path}/@preview-links/{id}', with: { id: '<preview link>' }, ok: '204',                            ...MODIFY },

  { ask: 'POST /{path}/@aliases', json: { items: [{ path: '/alias-<n>' }] }, ok: '201',                 ...MODIFY },
  { ask: 'DELETE /{path}/@aliases', json: { items: [{ path: '<new alias>' }] }, ok: '204',              ...MODIFY },

  { ask: 'PATCH /{path}/@history', with: { path: '<edited page>' }, json: { version: 0 },               ...MODIFY },
  // No model is configured, and callers with the permission get that message.
  { ask: 'POST /{path}/@chat', json: QUESTION, ok: '400',   ...VIEW_LOGGED_IN },
  { ask: 'POST /{path}/@generate', json: QUESTION, ok: '400',   ...VIEW_LOGGED_IN },
  { ask: 'POST /{path}/@replace', with: { path: '<new page>' }, json: REPLACE,                          ...MODIFY },
  { ask: 'POST /{path}/@replace', with: { path: '<new page>' }, json: { ...REPLACE, dry_run: true }, ok: '200=',                  ...MODIFY },
  { ask: 'POST /{path}/@querystring-search', json: LISTING, ok: '200=',   ...VIEW },
  // Each request of a batch needs its own permission.
  { ask: 'POST /{path}/@batch', with: { path: '<new page>' }, json: { requests: [{ method: 'PATCH', path: '<new page>', body: TITLE }] }, ...MODIFY },
  // Each object needs its own permission; the report says which it lacks.
  { ask: 'POST /{path}/@bulk', json: { items: ['<new page>'], change: TAGS },
    private:      '401       200=   200=   ok     200=     200=     ok    ok       ok',
    published:    '401       200=   200=   ok     200=     200=     ok    ok       ok' },

  // A Reviewer may not delegate the role Reader.
  { ask: 'POST /{path}/@sharing', with: { path: '<new page>' }, json: READER, ok: '204', ...MODIFY,
    published:    '401       403    403    ok     403      204=     ok    ok       ok' },
  { ask: 'POST /{path}/@translations', with: { path: '<new page>' }, json: { id: '<page in Dutch>' }, ok: '204',                  ...MODIFY },
  { ask: 'DELETE /{path}/@translations', with: { path: '<translated page>' }, json: { language: 'nl' }, ok: '204',                ...MODIFY },
  // The working copy is created in the container, where Editors may not add content.
  { ask: 'POST /{path}/@workingcopy', with: { path: '<new page>' }, ok: '201',
    private:      '401       403    403    403    403      403      ok    ok       ok',
    published:    '401       403    403    403    403      403      ok    ok       ok' },
  { ask: 'PATCH /{path}/@workingcopy', with: { path: '<checked-out page>' }, ok: '204',                 ...MODIFY },
  { ask: 'PATCH /{path}/@workingcopy', with: { path: '<working copy>' }, ok: '204',                     ...MODIFY },
  { ask: 'DELETE /{path}/@workingcopy', with: { path: '<checked-out page>' }, ok: '204',                ...MODIFY },

  // Callers who may view the page but not make the transition get the list of valid transitions.
  { ask: 'POST /{path}/@workflow',
    private:      '401       403    400    400    400      403      400   400      400',
    published:    '400       400    400    400    400      400      400   400      400' },
  { ask: 'POST /{path}/@workflow/{transition}', with: { path: '<new page>', transition: 'publish' },
    private:      '401       403    400    400    400      403      400   ok       ok',
    published:    '401       200=   200=   200=   200=     200=     200=  200=     200=' },
  { ask: 'POST /{path}/@workflow/{transition}', with: { path: '<new page>', transition: 'submit' },
    private:      '401       403    400    ok     400      403      ok    ok       ok',
    published:    '401       400    400    400    400      400      400   400      400' },
  { ask: 'POST /{path}/@workflow/{transition}', with: { path: '<new page>', transition: 'retract' },
    private:      '401       403    200=   200=   200=     403      200=  200=     200=',
    published:    '401       400    400    ok     400      400      ok    ok       ok' },
  { ask: 'POST /{path}/@workflow/{transition}', with: { path: '<new page>', transition: 'reject' },
    private:      '401       403    200=   200=   200=     403      200=  200=     200=',
    published:    '401       400    400    400    400      ok       400   ok       ok' },
  { ask: 'POST /{path}/@workflow/{transition}', with: { path: '<submitted page>', transition: 'publish' },
    private:      '401       403    400    400    400      ok       400   ok       ok',
    published:    '401       403    400    400    400      ok       400   ok       ok' },

  { ask: 'POST /{path}/@copy', json: { source: '<new page>' },            ...ADD },
  // The permission to add to a container does not allow moving content out of another one.
  { ask: 'POST /{path}/@move', json: { source: '<new page>' },
    private:      '401       403    403    403    403      403      ok    ok       ok',
    published:    '401       403    403    403    403      403      ok    ok       ok' },
];

// biome-ignore format: a table
/** Changing the site root and content in it. */
export const WRITING_ROOT: Row[] = [
  { ask: 'POST /', json: CHILD, ok: '201',                                ...ROOT_ADD },
  { ask: 'PATCH /', json: { title: 'Changed <n>' }, ok: '204',            ...ROOT_MODIFY },
  { ask: 'DELETE /',
    private:      '401       403    403    405    403      403      403   405      405',
    published:    '401       403    403    405    403      403      403   405      405' },

  { ask: 'POST /@lock',                                                   ...ROOT_MODIFY },
  // The site root is not locked.
  { ask: 'PATCH /@lock', ok: '200=',                                      ...ROOT_MODIFY },
  { ask: 'DELETE /@lock', ok: '200=',                                     ...ROOT_MODIFY },

  // At the site root the aliases are those of the whole site.
  { ask: 'POST /@aliases', json: { items: [{ path: '/alias-<n>', 'redirect-to': '<page>' }] }, ok: '201',                         ...ADMINISTRATORS },
  { ask: 'DELETE /@aliases', json: { items: [{ path: '<new alias>' }] }, ok: '204',                     ...ADMINISTRATORS },

  { ask: 'PATCH /@history', json: { version: 0 },                         ...ROOT_MODIFY },
  { ask: 'POST /@chat', json: QUESTION, ok: '400',   ...ROOT_VIEW_LOGGED_IN },
  { ask: 'POST /@generate', json: QUESTION, ok: '400',   ...ROOT_VIEW_LOGGED_IN },
  { ask: 'POST /@replace', json: { pattern: 'site root', replacement: 'start' },                        ...ROOT_MODIFY },
  { ask: 'POST /@querystring-search', json: LISTING, ok: '200=',          ...ROOT_VIEW },
  { ask: 'POST /@batch', json: { requests: [{ method: 'PATCH', path: '/', body: TITLE }] },             ...ROOT_MODIFY },
  // A plan changes what the caller may change; what the caller may not view is not there.
  { ask: 'POST /@promotion', json: PLAN,
    private:      '401       200=   403    ok     403      200=     ok    ok       ok',
    published:    '401       403    403    ok     403      403      ok    ok       ok' },
  { ask: 'POST /@promotion/plans', json: {}, ok: '201',                   ...LOGGED_IN },
  { ask: 'GET /@promotion/plans/{id}', with: STORED_PLAN,
    private:      '401       404    404    404    404      404      ok    404      404',
    published:    '401       404    404    404    404      404      ok    404      404' },
  { ask: 'PUT /@promotion/plans/{id}/entries/{from}', with: { ...STORED_PLAN, from: '0' }, json: { entries: [] },
    private:      '401       404    404    404    404      404      ok    404      404',
    published:    '401       404    404    404    404      404      ok    404      404' },
  { ask: 'POST /@promotion/plans/{id}/apply', with: STORED_PLAN, json: {}, ok: '202',
    private:      '401       404    404    404    404      404      ok    404      404',
    published:    '401       404    404    404    404      404      ok    404      404' },
  { ask: 'DELETE /@promotion/plans/{id}', with: STORED_PLAN, ok: '204',
    private:      '401       404    404    404    404      404      ok    404      404',
    published:    '401       404    404    404    404      404      ok    404      404' },
  { ask: 'POST /@bulk', json: { items: ['/'], change: { fields: TITLE } },
    private:      '401       200=   200=   ok     200=     200=     200=  ok       ok',
    published:    '401       200=   200=   ok     200=     200=     200=  ok       ok' },
  // The site root has no language.
  { ask: 'POST /@translations', json: { id: '<page>' }, ok: '400',        ...ROOT_MODIFY },
  { ask: 'DELETE /@translations', json: { language: 'nl' }, ok: '400',    ...ROOT_MODIFY },
  { ask: 'POST /@sharing', json: READER, ok: '204', ...ROOT_MODIFY,
    published:    '401       403    403    ok     403      204=     403   ok       ok' },

  { ask: 'POST /@scheduled-transitions', json: AT_NIGHT, ok: '201',       ...ROOT_DELEGATE },
  { ask: 'DELETE /@scheduled-transitions/{id}', with: { id: '<scheduled transition of the site>' }, ok: '204',                           ...ROOT_DELEGATE },
  { ask: 'POST /@proposals', json: { title: 'P', requests: [{ method: 'PATCH', path: '/', body: TITLE }] }, ok: '201', ...ROOT_PROPOSE },
  { ask: 'PATCH /@proposals/{id}', with: { id: '<proposal of caller>' }, json: { title: 'Title <n>' }, ...ROOT_VIEW_LOGGED_IN },
  { ask: 'POST /@proposals/{id}/approve', with: { id: '<proposal of reader>' }, json: {}, ...ROOT_DECIDE },
  { ask: 'POST /@proposals/{id}/reject', with: { id: '<proposal of reader>' }, json: { comment: 'X' }, ...ROOT_DECIDE },
  { ask: 'POST /@proposals/{id}/withdraw', with: { id: '<proposal of caller>' }, ...ROOT_VIEW_LOGGED_IN },
  { ask: 'POST /@proposals/{id}/comments', with: { id: '<proposal of reader>' }, json: { text: 'X' }, ok: '201', ...ROOT_SEE_PROPOSAL },
  { ask: 'POST /@proposals/{id}/preview-links', with: { id: '<proposal of reader>' }, json: {}, ok: '201', ...ROOT_DECIDE },
  { ask: 'DELETE /@proposals/{id}/preview-links/{link}', with: { id: '<linked proposal>', link: 'link-<linked proposal>' }, ok: '204', ...ROOT_DECIDE },
  { ask: 'POST /@releases', json: { title: 'R' }, ok: '201',              ...MAKE_RELEASES },
  { ask: 'PATCH /@releases/{id}', with: { id: '<release>' }, json: { title: 'X' }, ...MAKE_RELEASES },
  { ask: 'DELETE /@releases/{id}', with: { id: '<release>' }, ok: '204', ...MAKE_RELEASES },
  { ask: 'POST /@releases/{id}/parts', with: { id: '<release>' }, json: { parts: [{ method: 'DELETE', path: '<new page>' }] }, ok: '201', ...ADD_PARTS },
  { ask: 'PATCH /@releases/{id}/parts/{number}', with: { id: '<release>', number: '0' }, json: { method: 'DELETE', path: '<new page>' }, ...SEE_PARTS },
  { ask: 'DELETE /@releases/{id}/parts/{number}', with: { id: '<release>', number: '0' }, ok: '204', ...SEE_PARTS },
  { ask: 'POST /@releases/{id}/check', with: { id: '<release>' }, ok: '200=', ...MAKE_RELEASES },
  { ask: 'POST /@releases/{id}/publish', with: { id: '<release>' }, json: {}, ...PUBLISH_PARTS },
  { ask: 'POST /@releases/{id}/schedule', with: { id: '<release>' }, json: { at: AT_NIGHT.at }, ...PUBLISH_PARTS },
  { ask: 'DELETE /@releases/{id}/schedule', with: { id: '<scheduled release>' }, ...PUBLISH_RELEASES },
  // `Undo changes` as well.
  { ask: 'POST /@releases/{id}/undo', with: { id: '<published release>' }, ...MANAGER },
  { ask: 'POST /@releases/{id}/preview-links', with: { id: '<release>' }, json: {}, ok: '201', ...PUBLISH_PARTS },
  { ask: 'DELETE /@releases/{id}/preview-links/{link}', with: { id: '<linked release>', link: 'link-<linked release>' }, ok: '204', ...PUBLISH_RELEASES },
  { ask: 'POST /@preview-links', json: { title: 'Link <n>' }, ok: '201',  ...ROOT_MODIFY },
  { ask: 'DELETE /@preview-links/{id}', with: { id: '<preview link of the site>' }, ok: '204',     ...ROOT_MODIFY },

  // The site root has no container in which a working copy could be created.
  { ask: 'POST /@workingcopy',                                            ...NOBODY },
  { ask: 'PATCH /@workingcopy',                                           ...NOBODY },
  { ask: 'DELETE /@workingcopy',                                          ...NOBODY },

  { ask: 'POST /@workflow',
    private:      '401       403    400    400    400      403      403   400      400',
    published:    '400       400    400    400    400      400      400   400      400' },
  { ask: 'POST /@workflow/{transition}', with: { transition: 'publish' },
    private:      '401       403    400    400    400      403      403   ok       ok',
    published:    '401       200=   200=   200=   200=     200=     200=  200=     200=' },
  { ask: 'POST /@workflow/{transition}', with: { transition: 'retract' },
    private:      '401       403    200=   200=   200=     403      403   200=     200=',
    published:    '401       400    400    ok     400      400      400   ok       ok' },

  { ask: 'POST /@copy', json: { source: '<new page>' },                   ...ROOT_ADD },
  { ask: 'POST /@move', json: { source: '<new page>' },
    private:      '401       403    403    403    403      403      403   ok       ok',
    published:    '401       403    403    403    403      403      403   ok       ok' },
];
