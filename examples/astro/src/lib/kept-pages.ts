/** Keeps pages in the memory of this process until a webhook names something that they show. */
import { pageKeys } from './client.ts';

const MAX_PAGES = 1000;
/** Milliseconds after which a page is made again although no webhook came. */
const MAX_AGE_MS = 3_600_000;

type Page = { body: string; headers: Headers; keys: Set<string>; until: number };
const pages = new Map<string, Page>();
let webhooks = 0;

/** Forgets the pages that are made of a response with one of these keys. */
export function forget(keys: string[]): void {
  webhooks += 1;
  for (const [path, page] of pages) if (keys.some((key) => page.keys.has(key))) pages.delete(path);
}

/** The page of a path: the one that is kept, or a new one. Pages without keys, or of another status than 200, are not kept. */
export async function keptPage(path: string, make: () => Promise<Response>): Promise<Response> {
  const kept = pages.get(path);
  if (kept && kept.until > Date.now()) return new Response(kept.body, { headers: kept.headers });
  const [keys, before] = [new Set<string>(), webhooks];
  return pageKeys.run(keys, async () => {
    const response = await make();
    const body = await response.text();
    const { status, headers } = response;
    pages.delete(path);
    // A webhook that came meanwhile may be about what the page shows.
    if (status === 200 && keys.size > 0 && webhooks === before)
      pages.set(path, { body, headers, keys, until: Date.now() + MAX_AGE_MS });
    for (const oldest of pages.keys()) {
      if (pages.size <= MAX_PAGES) break;
      pages.delete(oldest);
    }
    return new Response(body, { status, headers });
  });
}
