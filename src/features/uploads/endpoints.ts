import { ADD, defineService, has, locate, MODIFY, noContent, references, requests, urlOf, VIEW } from '#core';
import { MethodNotAllowed } from '#lib/errors';
import { ALWAYS, CROSS_ORIGIN, OFFSET_TYPE, requireVersion, serverHeaders } from './protocol.ts';
import { discardParts } from './remove-uploads.ts';
import { expiresHeader, open, patch, requireUpload } from './requests.ts';
import { deleteUpload } from './statements.ts';

const OPTIONS = { always: ALWAYS, options: serverHeaders, crossOrigin: CROSS_ORIGIN } as const;

const VERSION_HEADER = { 'Tus-Resumable': { description: '`1.0.0`, the version of the protocol; without it: 412.' } };
const OPENING_HEADERS = {
  ...VERSION_HEADER,
  'Upload-Length': { description: 'Bytes of the file.' },
  'Upload-Metadata': {
    description:
      'Pairs of a key and a value in base64, with commas between: `filename`, `content-type`, `@type`, `fieldname`.',
  },
};
const OFFSET_HEADERS = {
  ...VERSION_HEADER,
  ...requests.LOCK_TOKEN,
  'Upload-Offset': { description: 'From which byte on the body goes on.' },
  'Upload-Checksum': { description: '`sha1`, `sha256` or `md5` and the checksum of the body in base64.' },
};

const WRONG = { description: 'A header is missing or malformed.' };
const OPENED = {
  400: WRONG,
  201: {
    description: 'The upload is open. With a body that brought all bytes the content is written.',
    headers: {
      Location: { description: 'Address of the upload.' },
      'Upload-Expires': { description: 'When it is removed unless it goes on.' },
      'Content-Location': { description: 'Address of the content, when it is written.' },
    },
  },
  412: { description: 'The version of the protocol is another one.' },
  413: { description: 'The file, or all that the user has open, is too large.' },
  429: { description: 'The user has too many open uploads.' },
};
const NO_UPLOAD = { description: 'There is no such upload, or it has expired.' };
const WENT_ON = {
  400: WRONG,
  204: {
    description: 'The bytes are stored.',
    headers: {
      'Upload-Offset': { description: 'Bytes that have come.' },
      'Upload-Expires': { description: 'When it is removed unless it goes on.' },
      Location: { description: 'Address of the content, with the last byte.' },
    },
  },
  404: NO_UPLOAD,
  409: { description: 'The upload has another offset, or another request goes on with it.' },
  412: { description: 'The version of the protocol is another one.' },
  413: { description: 'More bytes than the upload has.' },
  460: { description: 'The checksum does not fit: none of the bytes counts.' },
};

/** POST `@tus-upload`: opens an upload for new content in a container. */
export const postUpload = defineService({
  ...OPTIONS,
  name: '@tus-upload',
  method: 'POST',
  context: 'folderish',
  permission: ADD,
  checkPermission: (context) =>
    requests.isLoggedIn(context) &&
    [ADD, VIEW].every((permission) => has(context.site, context.caller, context.resolved, permission)),
  summary: 'Opens a resumable upload (tus 1.0.0) of a file that becomes new content.',
  headers: OPENING_HEADERS,
  streams: OFFSET_TYPE,
  responses: OPENED,
  run: (context) => open(context, 'create'),
});

/** POST `@tus-replace`: opens an upload for the file of content. */
export const postReplace = defineService({
  ...OPTIONS,
  name: '@tus-replace',
  method: 'POST',
  context: 'content',
  permission: MODIFY,
  summary: 'Opens a resumable upload (tus 1.0.0) of a file that takes the place of the one of this content.',
  headers: { ...OPENING_HEADERS, ...requests.LOCK_TOKEN },
  streams: OFFSET_TYPE,
  responses: OPENED,
  run: (context) => open(context, 'replace'),
});

const ONE_UPLOAD = {
  ...OPTIONS,
  name: '@tus-upload',
  context: 'content',
  permission: null,
  checkPermission: requests.isLoggedIn,
  rest: ['{upload}'],
} as const;

export const patchUpload = defineService({
  ...ONE_UPLOAD,
  method: 'PATCH',
  summary: 'Goes on with an upload. The last byte writes the content.',
  headers: OFFSET_HEADERS,
  streams: OFFSET_TYPE,
  responses: WENT_ON,
  run: (context) => patch(context, context.params.upload),
});

/** POST of an upload with `X-HTTP-Method-Override: PATCH`, for clients that cannot send PATCH. */
export const postOverriding = defineService({
  ...ONE_UPLOAD,
  method: 'POST',
  summary: 'The same as PATCH, for clients that cannot send it.',
  headers: { ...OFFSET_HEADERS, 'X-HTTP-Method-Override': { description: '`PATCH`.' } },
  streams: OFFSET_TYPE,
  responses: WENT_ON,
  run(context) {
    if (requests.headerOf(context, 'x-http-method-override')?.toUpperCase() !== 'PATCH')
      throw new MethodNotAllowed('POST needs the header X-HTTP-Method-Override: PATCH here.', [
        'GET',
        'PATCH',
        'DELETE',
      ]);
    return patch(context, context.params.upload);
  },
});

/** HEAD of an upload: the number of received bytes. */
export const getUpload = defineService({
  ...ONE_UPLOAD,
  method: 'GET',
  summary: 'Tells in its headers how much of an upload has come. Clients ask with HEAD.',
  headers: VERSION_HEADER,
  responses: {
    200: {
      description: 'The state of the upload; there is no body.',
      headers: {
        'Upload-Offset': { description: 'Bytes that have come.' },
        'Upload-Length': { description: 'Bytes of the file.' },
        'Upload-Metadata': { description: 'As it was opened with.' },
        'Upload-Expires': { description: 'When it is removed unless it goes on.' },
        Location: { description: 'Address of the content, once it is written.' },
      },
    },
    404: NO_UPLOAD,
    412: { description: 'The version of the protocol is another one.' },
  },
  async run(context) {
    requireVersion(requests.headerOf(context, 'tus-resumable'));
    const { length, received, metadata, expires, result } = await requireUpload(context, context.params.upload);
    const { kernel, caller, db, base } = context;
    const path = result === null ? undefined : (await references.pathsOfUids(db, [result])).get(result);
    const written = path === undefined ? undefined : await locate(kernel, path);
    const shown = written?.resolved && has(written.site, caller, written.resolved, VIEW);
    return {
      status: 200,
      headers: {
        'Upload-Offset': received,
        'Upload-Length': length,
        ...(metadata === '' ? {} : { 'Upload-Metadata': metadata }),
        ...(result === null ? expiresHeader(expires) : {}),
        ...(shown && path !== undefined ? { Location: urlOf(base, path) } : {}),
        'Cache-Control': 'no-store',
      },
    };
  },
});

/** DELETE of an upload: ends the upload (termination). Content made from it stays. */
export const deleteUploadService = defineService({
  ...ONE_UPLOAD,
  method: 'DELETE',
  summary: 'Ends an upload and removes what has come of it. Content that was made of it stays.',
  alone: 'The bytes of an upload are no part of the database.',
  headers: VERSION_HEADER,
  responses: {
    204: { description: 'Ended.' },
    404: NO_UPLOAD,
    412: { description: 'The version of the protocol is another one.' },
  },
  async run(context) {
    requireVersion(requests.headerOf(context, 'tus-resumable'));
    const upload = await requireUpload(context, context.params.upload);
    await deleteUpload(context.db, upload.id);
    await discardParts(context.kernel, upload);
    return noContent();
  },
});
