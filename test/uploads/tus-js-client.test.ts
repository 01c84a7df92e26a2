import { randomBytes } from 'node:crypto';
import { Upload, type UploadOptions } from 'tus-js-client';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const MEBIBYTE = 1024 * 1024;

describeEachEngine('tus-js-client', (engine) => {
  const site = useTestSite(engine);
  const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;

  /** Uploads everything. Returns the address of the content from the last response. */
  function uploadAll(bytes: Buffer, options: Partial<UploadOptions>): Promise<string> {
    return new Promise((resolve, reject) => {
      let address = '';
      new Upload(bytes, {
        endpoint: `${site.url}/@tus-upload`,
        uploadSize: bytes.length,
        chunkSize: 3 * MEBIBYTE,
        headers: { Authorization: authorization },
        metadata: { filename: 'client.bin', filetype: 'application/octet-stream' },
        retryDelays: [0],
        onAfterResponse: (_request, response) => {
          address = response.getHeader('Content-Location') ?? response.getHeader('Location') ?? address;
        },
        onError: reject,
        onSuccess: () => resolve(address),
        ...options,
      }).start();
    });
  }
  const download = async (address: string) =>
    (await site.request('GET', `${address.slice(site.url.length)}/@@download/file`)).bytes;

  it.each([
    ['in chunks', {}],
    ['in chunks, the first with the opening request', { uploadDataDuringCreation: true }],
    ['by POST instead of PATCH', { overridePatchMethod: true }],
    ['at once', { chunkSize: 64 * MEBIBYTE }],
  ] as const)('tus-js-client uploads %s', async (_, options) => {
    const bytes = randomBytes(20 * MEBIBYTE + 17);
    const address = await uploadAll(bytes, options);
    expect(address).toMatch(/\/client\.bin(?:-\d+)?$/);
    expect((await download(address)).equals(bytes)).toBe(true);
  });

  it('tus-js-client continues an upload after a broken connection', async () => {
    const bytes = randomBytes(30 * MEBIBYTE);
    let url: string | null = null;
    await new Promise<void>((resolve) => {
      const upload: Upload = new Upload(bytes, {
        endpoint: `${site.url}/@tus-upload`,
        uploadSize: bytes.length,
        // The part under way may still arrive, but no later part is sent.
        chunkSize: 10 * MEBIBYTE,
        headers: { Authorization: authorization },
        metadata: { filename: 'broken.bin' },
        retryDelays: null,
        onProgress: (sent) => {
          if (sent < 12 * MEBIBYTE || url !== null) return;
          url = upload.url;
          void upload.abort().then(resolve);
        },
        onError: () => {},
      });
      upload.start();
    });
    const state = await site.request('HEAD', String(url), { headers: { 'Tus-Resumable': '1.0.0' } });
    expect(Number(state.headers.get('upload-offset'))).toBeLessThan(bytes.length);
    const address = await uploadAll(bytes, { uploadUrl: url, endpoint: null });
    expect((await download(address)).equals(bytes)).toBe(true);
  }, 30_000);
});
