import { createClient } from '@canopy-server/client';
import sharp from 'sharp';
import type { SharedSite } from '../support/use-site.ts';

/** A client of a test site that is logged in as the administrator. */
export async function adminClient(site: Pick<SharedSite, 'url' | 'admin'>) {
  const client = createClient(site.url);
  await client.login(site.admin.login, site.admin.password);
  return client;
}

/** A picture in one colour, as PNG. */
export const picture = async (width: number, height: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: '#484' } })
      .png()
      .toBuffer(),
  );
