import { expect } from 'vitest';
import type { Exchange, Json, TestSite } from '../support/site.ts';

/** A file as a client sends it. */
export const upload = (data: string | Uint8Array, filename: string, contentType: string) => ({
  data: Buffer.from(data).toString('base64'),
  encoding: 'base64',
  filename,
  'content-type': contentType,
});

/** Creates content and returns its representation with its path. */
export async function create(
  site: Pick<TestSite, 'request' | 'url'>,
  container: string,
  data: Json,
): Promise<Json & { path: string }> {
  const { status, body, text } = await site.request('POST', container, { json: data });
  expect(status, text).toBe(201);
  return { ...body, path: body['@id'].slice(site.url.length) };
}

export async function publish(site: Pick<TestSite, 'request'>, path: string): Promise<void> {
  const { status, text } = await site.request('POST', `${path}/@workflow/publish`, { json: {} });
  expect(status, text).toBe(200);
}

export const disposition = (exchange: Exchange): string => exchange.headers.get('content-disposition') ?? '';
