import { expect } from 'vitest';
import type { EffectSite, Effects } from './effect.ts';

const MEBIBYTE = 1024 * 1024;

/** Opens an upload and returns the response. */
const open = ({ site }: EffectSite, bytes: number) =>
  site.request('POST', '/@tus-upload', {
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(bytes), 'Upload-Metadata': 'filename dC50eHQ=' },
  });

/** Removes the uploads that effects have opened. */
const forget = ({ site }: EffectSite) => site.kernel.db.query({ text: 'delete from upload' });

export const UPLOAD_EFFECTS: Effects = {
  'uploads.max_size': async (context) => {
    await context.set('uploads', { max_size: 1 });
    expect([(await open(context, MEBIBYTE + 1)).status, (await open(context, MEBIBYTE)).status]).toEqual([413, 201]);
    await context.set('uploads', { max_size: 2 });
    expect((await open(context, MEBIBYTE + 1)).status).toBe(201);
    await forget(context);
  },
  'uploads.expire_hours': async (context) => {
    await context.set('uploads', { expire_hours: 2 });
    const expires = Date.parse((await open(context, 8)).headers.get('upload-expires') ?? '');
    expect(Math.abs(expires - Date.now() - 2 * 3_600_000)).toBeLessThan(60_000);
    await forget(context);
  },
  'uploads.max_open': async (context) => {
    await context.set('uploads', { max_open: 1 });
    expect([(await open(context, 8)).status, (await open(context, 8)).status]).toEqual([201, 429]);
    await context.set('uploads', { max_open: 2 });
    expect((await open(context, 8)).status).toBe(201);
    await forget(context);
  },
  'uploads.max_open_size': async (context) => {
    await context.set('uploads', { max_open: 50, max_size: 2, max_open_size: 1 });
    expect((await open(context, MEBIBYTE + 1)).status).toBe(413);
    await context.set('uploads', { max_open_size: 2 });
    expect((await open(context, MEBIBYTE + 1)).status).toBe(201);
    await forget(context);
  },
};
