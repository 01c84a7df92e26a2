import type { Readable } from 'node:stream';
import { MAX_VALUES } from '../../lib/schema/bounded-json.ts';
import { maxUploadBytes } from '../configuration/panels/uploads.ts';
import type { RequestContext, Service } from '../services/service.ts';
import { isForm, parseFormBody, parseJsonBody } from './body.ts';
import { receiveForm } from './form-files.ts';
import type { PartInWork } from './request-layers.ts';
import { header } from './wire-request.ts';

const DEFAULT_BODY_LIMIT = 1024 * 1024;

/** Maximum bytes of the texts in a form, for content and for forms of visitors, whose files are separate parts. */
const MAX_TEXT_BYTES = { content: 16 * 1024 * 1024, visitors: DEFAULT_BODY_LIMIT };

/** Maximum number of values in the JSON of a body when nobody is logged in; a login or a form has a hundred. */
const MAX_VALUES_OF_STRANGERS = 10_000;

/**
 * Receives and parses the body of a request, unless its service reads it by itself. Call it after the permission check. Throws BadRequest, and the
 * other errors of `parseJsonBody` and `receiveForm`.
 */
export async function requestBody(
  service: Service,
  request: PartInWork['request'],
  call: RequestContext,
): Promise<RequestContext['body']> {
  if (service.method === 'GET' || service.streams !== undefined) return {};
  const { blobs } = call.kernel;
  const storeFile = service.fromForm ? (source: Readable) => blobs.put(source) : undefined;
  const options = {
    method: service.method,
    contentType: header(request, 'content-type'),
    contentLength: header(request, 'content-length'),
    contentEncoding: header(request, 'content-encoding'),
    limit: service.bodyLimit ?? DEFAULT_BODY_LIMIT,
    maxValues: Math.min(
      service.maxValues ?? Number.POSITIVE_INFINITY,
      call.authentication.account ? MAX_VALUES : MAX_VALUES_OF_STRANGERS,
    ),
    storeFile,
  };
  const { contentType } = options;
  if (contentType === undefined || !isForm(contentType)) return parseJsonBody(request.body, options);
  if (service.fromForm && storeFile) {
    const limits = { maxFileSize: maxUploadBytes(call.site), maxTextBytes: MAX_TEXT_BYTES.content };
    return service.fromForm(call, await receiveForm(request.body, { ...options, contentType, storeFile, ...limits }));
  }
  if (service.form) {
    const { before, maxFileBytes, bodyOf } = service.form;
    await before(call);
    const limits = { maxFileSize: maxFileBytes(call.site), maxTextBytes: MAX_TEXT_BYTES.visitors, severalFiles: true };
    const store = (source: Readable) => blobs.put(source);
    return bodyOf(await receiveForm(request.body, { ...options, contentType, storeFile: store, ...limits }));
  }
  return service.accepts?.includes('multipart/form-data')
    ? parseFormBody(request.body, { ...options, contentType })
    : parseJsonBody(request.body, options);
}
