import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Exchange, RequestOptions } from '../support/site.ts';
import type { SharedSite } from '../support/use-site.ts';

export const TUS = { 'Tus-Resumable': '1.0.0' };
const OFFSET_TYPE = 'application/offset+octet-stream';

/** The header Upload-Metadata. */
export const metadata = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

export const TEXT_FILE = { filename: 'tus.txt', 'content-type': 'text/plain' };

/** A client of resumable uploads on a site. */
export function tusClient(site: SharedSite) {
  const open = (
    path: string,
    length: number | string,
    values: Record<string, string> = TEXT_FILE,
    options: RequestOptions = {},
  ): Promise<Exchange> =>
    site.request('POST', path, {
      ...options,
      headers: { ...TUS, 'Upload-Length': String(length), 'Upload-Metadata': metadata(values), ...options.headers },
    });
  const send = (
    url: string,
    offset: number,
    body: string | Uint8Array<ArrayBuffer>,
    { headers = {}, ...options }: RequestOptions = {},
  ): Promise<Exchange> =>
    site.request('PATCH', url, {
      ...options,
      body,
      headers: { ...TUS, 'Upload-Offset': String(offset), 'Content-Type': OFFSET_TYPE, ...headers },
    });
  const head = (url: string, options: RequestOptions = {}): Promise<Exchange> =>
    site.request('HEAD', url, { ...options, headers: { ...TUS, ...options.headers } });
  return {
    open,
    send,
    head,
    /** Opens an upload and returns its address. */
    async begin(
      path: string,
      length: number,
      values?: Record<string, string>,
      options?: RequestOptions,
    ): Promise<string> {
      const { status, headers, text } = await open(path, length, values, options);
      expect(status, text).toBe(201);
      return headers.get('location') ?? '';
    },
    /** The offset in the response to HEAD; undefined when the upload is gone. */
    async offset(url: string): Promise<number | undefined> {
      const { status, headers } = await head(url);
      return status === 200 ? Number(headers.get('upload-offset')) : undefined;
    },
  };
}

export const checksum = (algorithm: string, data: string | Uint8Array): string =>
  `${algorithm} ${createHash(algorithm).update(data).digest('base64')}`;
