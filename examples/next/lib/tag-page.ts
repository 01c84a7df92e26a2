import { ask } from './canopy.ts';

/** Most tags that Next.js takes with one request. */
const MAX_TAGS = 100;
/** Seconds after which a page is made again although no webhook came; without tags a second. */
const MAX_AGE = 3600;

/**
 * Has the page made again when a response that it is made of changes: its surrogate keys become the tags of the page. Next.js takes tags
 * with requests alone, so that there is one more for each hundred keys.
 */
export async function tagPage(path: string, keys: string[]): Promise<void> {
  for (let at = 0; at === 0 || at < keys.length; at += MAX_TAGS) {
    const tags = keys.slice(at, at + MAX_TAGS);
    const mark = `${path.includes('?') ? '&' : '?'}tags=${at}`;
    await ask(path + mark, { cache: 'force-cache', next: { tags, revalidate: keys.length > 0 ? MAX_AGE : 1 } });
  }
}
