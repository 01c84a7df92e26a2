import { createClient } from '@canopy-server/client';
import type { Site } from './canopy-types.ts';

export const CANOPY_URL = (process.env.CANOPY_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
/** Most tags that Next.js takes with one request. */
const MAX_TAGS = 100;
/** Seconds after which a page is made again although no webhook came; without tags a second. */
const MAX_AGE = 3600;

/**
 * Has the page made again when a response that it is made of changes: its surrogate keys become the tags of the page. Next.js takes tags
 * with requests alone, so that there is one more for each hundred keys.
 */
const fetchTagged: typeof fetch = async (address, init) => {
  const response = await fetch(address, init);
  if (init?.cache === 'no-store') return response;
  const mark = `${address}${String(address).includes('?') ? '&' : '?'}tags=`;
  const keys = response.headers.get('surrogate-key')?.split(' ') ?? [];
  for (let at = 0; at === 0 || at < keys.length; at += MAX_TAGS) {
    const next = { tags: keys.slice(at, at + MAX_TAGS), revalidate: keys.length > 0 ? MAX_AGE : 1 };
    await fetch(mark + at, { ...init, cache: 'force-cache', next });
  }
  return response;
};

/** Canopy, as a visitor sees it, typed by the content types of the site. */
export const canopy = createClient<Site>(CANOPY_URL, { fetch: fetchTagged });
