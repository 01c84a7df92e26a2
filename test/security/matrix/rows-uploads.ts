import { ADD, MODIFY, NOBODY, ROOT_ADD, ROOT_MODIFY } from './patterns.ts';
import type { Row } from './row.ts';

const TUS = { 'Tus-Resumable': '1.0.0' };
const NEW = { ...TUS, 'Upload-Length': '8' };
/** `fieldname preview_image` */
const PREVIEW = { ...NEW, 'Upload-Metadata': 'fieldname cHJldmlld19pbWFnZQ==' };
const BYTES = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
const OVERRIDING = { ...BYTES, 'X-HTTP-Method-Override': 'PATCH' };
const OWN = { upload: '<upload of caller>' };
const OTHER = { upload: '<upload of another>' };
const AT_ROOT = { upload: '<site upload of caller>' };

// biome-ignore format: a table
/** Resumable uploads to a page. Columns: Anonymous Member Reader Editor Contrib. Reviewer Owner SiteAdm. Manager */
export const UPLOADS_CONTENT: Row[] = [
  { ask: 'POST /{path}/@tus-upload',  headers: NEW, ok: '201',                                      ...ADD },
  { ask: 'POST /{path}/@tus-replace', headers: PREVIEW, ok: '201',                                  ...MODIFY },
  { ask: 'GET /{path}/@tus-upload/{upload}',    with: { upload: '<upload of owner>' }, headers: TUS,
    private:      '401       403    403    403    403      403      ok    403      403',
    published:    '401       403    403    403    403      403      ok    403      403' },
  { ask: 'PATCH /{path}/@tus-upload/{upload}',  with: OWN, headers: BYTES, json: 'bytes', ok: '204',       ...ADD },
  { ask: 'POST /{path}/@tus-upload/{upload}',   with: OWN, headers: OVERRIDING, json: 'bytes', ok: '204',  ...ADD },
  { ask: 'DELETE /{path}/@tus-upload/{upload}', with: OWN, headers: TUS, ok: '204',                 ...ADD },
  { ask: 'GET /{path}/@tus-upload/{upload}',    with: OTHER, headers: TUS,                          ...NOBODY },
  { ask: 'PATCH /{path}/@tus-upload/{upload}',  with: OTHER, headers: BYTES, json: 'bytes',         ...NOBODY },
  { ask: 'DELETE /{path}/@tus-upload/{upload}', with: OTHER, headers: TUS,                          ...NOBODY },
];

// biome-ignore format: a table
/** Resumable uploads to the site root, which has no file field of its own. */
export const UPLOADS_ROOT: Row[] = [
  { ask: 'POST /@tus-upload',  headers: NEW, ok: '201',                                             ...ROOT_ADD },
  { ask: 'POST /@tus-replace', headers: NEW, ok: '400',                                             ...ROOT_MODIFY },
  { ask: 'GET /@tus-upload/{upload}',    with: { upload: '<site upload of contributor>' }, headers: TUS,
    private:      '401       403    403    403    ok       403      403   403      403',
    published:    '401       403    403    403    ok       403      403   403      403' },
  { ask: 'PATCH /@tus-upload/{upload}',  with: AT_ROOT, headers: BYTES, json: 'bytes', ok: '204',          ...ROOT_ADD },
  { ask: 'POST /@tus-upload/{upload}',   with: AT_ROOT, headers: OVERRIDING, json: 'bytes', ok: '204',     ...ROOT_ADD },
  { ask: 'DELETE /@tus-upload/{upload}', with: AT_ROOT, headers: TUS, ok: '204',                    ...ROOT_ADD },
];
