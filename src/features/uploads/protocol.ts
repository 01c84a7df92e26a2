import { createHash, type Hash } from 'node:crypto';
import { type Service, type Site, siteSettings } from '#core';
import { BadRequest, PayloadTooLarge, PreconditionFailed } from '#lib/errors';

/** The headers of the protocol of resumable uploads, tus 1.0.0 (https://tus.io/protocols/resumable-upload). */

const VERSION = '1.0.0';
const EXTENSIONS = ['creation', 'creation-with-upload', 'expiration', 'checksum', 'termination'];
const ALGORITHMS = ['md5', 'sha1', 'sha256'];
/** The media type of a body with bytes of an upload. */
export const OFFSET_TYPE = 'application/offset+octet-stream';

/** "The Tus-Resumable header MUST be included in every request and response except for OPTIONS requests." */
export const ALWAYS = { 'Tus-Resumable': VERSION } as const;

/** The headers of the response to OPTIONS. */
export const serverHeaders = (site: Site): Record<string, string> => ({
  ...ALWAYS,
  'Tus-Version': VERSION,
  'Tus-Extension': EXTENSIONS.join(','),
  'Tus-Max-Size': String(siteSettings.maxUploadBytes(site)),
  'Tus-Checksum-Algorithm': ALGORITHMS.join(','),
});

/** Headers that pages of other origins send and read. */
export const CROSS_ORIGIN: NonNullable<Service['crossOrigin']> = {
  requestHeaders: [
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Offset',
    'Upload-Metadata',
    'Upload-Checksum',
    'X-HTTP-Method-Override',
    'X-Requested-With',
    'X-Request-ID',
    'Content-Type',
    'Authorization',
    'Lock-Token',
  ],
  responseHeaders: [
    'Location',
    'Content-Location',
    'Tus-Resumable',
    'Tus-Version',
    'Tus-Extension',
    'Tus-Max-Size',
    'Tus-Checksum-Algorithm',
    'Upload-Length',
    'Upload-Offset',
    'Upload-Metadata',
    'Upload-Expires',
  ],
};

/** Throws PreconditionFailed unless the client speaks this version: "… MUST respond with the 412 … and MUST include the Tus-Version header". */
export function requireVersion(version: string | undefined): void {
  if (version === VERSION) return;
  throw new PreconditionFailed(`Send the header Tus-Resumable: ${VERSION}, the version of the protocol.`, {
    'Tus-Version': VERSION,
  });
}

/** Parses a header with a number of bytes. Throws BadRequest. */
function parseBytes(name: string, value: string | undefined): number {
  if (value === undefined) throw new BadRequest(`The header ${name} is missing.`);
  if (!/^\d{1,15}$/.test(value)) throw new BadRequest(`The header ${name} must be a number of bytes.`);
  return Number(value);
}

/** `Upload-Length`: the number of bytes of the file. Throws BadRequest, and PayloadTooLarge beyond the limit of the site. */
export function parseLength(value: string | undefined, site: Site): number {
  const length = parseBytes('Upload-Length', value);
  const limit = siteSettings.maxUploadBytes(site);
  if (length > limit) throw new PayloadTooLarge(limit);
  return length;
}

/** `Upload-Offset`: the byte at which the body begins. Throws BadRequest. */
export const parseOffset = (value: string | undefined): number => parseBytes('Upload-Offset', value);

const KEY = /^[!-+\--~]{1,100}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** The text of one value. Throws BadRequest. */
function decodeValue(key: string, value: string): string {
  if (!BASE64.test(value)) throw new BadRequest(`The value of "${key}" in Upload-Metadata is not base64.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'base64'));
  } catch (error) {
    if (error instanceof TypeError) throw new BadRequest(`The value of "${key}" in Upload-Metadata is not UTF-8.`);
    throw error;
  }
}

/**
 * `Upload-Metadata`: "one or more comma-separated key-value pairs. The key and value MUST be separated by a space. … The key
 * SHOULD be ASCII encoded and the value MUST be Base64 encoded. All keys MUST be unique. The value MAY be empty." Throws BadRequest.
 */
export function parseMetadata(header: string): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>();
  if (header.trim() === '') return metadata;
  for (const pair of header.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(/ +/);
    if (!KEY.test(key) || more.length > 0)
      throw new BadRequest(
        'The header Upload-Metadata must be pairs of a key and a value in base64, with commas between them.',
      );
    if (metadata.has(key)) throw new BadRequest(`The header Upload-Metadata has two values for "${key}".`);
    metadata.set(key, decodeValue(key, value));
  }
  return metadata;
}

/** A checksum that the bytes of a request must have. */
export type Checksum = { hash: Hash; expected: Buffer };

/**
 * `Upload-Checksum`: "the name of the used checksum algorithm and the Base64 encoded checksum separated by a space". Throws
 * BadRequest for algorithms that are not supported.
 */
export function parseChecksum(header: string | undefined): Checksum | undefined {
  if (header === undefined) return undefined;
  const [algorithm = '', value = ''] = header.trim().split(/ +/);
  if (!ALGORITHMS.includes(algorithm))
    throw new BadRequest(`The algorithm of Upload-Checksum must be one of ${ALGORITHMS.join(', ')}.`);
  const hash = createHash(algorithm);
  const expected = Buffer.from(BASE64.test(value) ? value : '', 'base64');
  if (expected.length !== hash.copy().digest().length)
    throw new BadRequest(`The value of Upload-Checksum is not a checksum of ${algorithm} in base64.`);
  return { hash, expected };
}
