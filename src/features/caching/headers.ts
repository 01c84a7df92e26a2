import { randomBytes } from 'node:crypto';
import { type Kernel, outsideCaches, panelSettings, secretBox } from '#core';
import { Slot } from '#lib/slots';
import { cachingPanel, isCachingOn } from './panel.ts';
import { isForever, OPERATIONS, rulesetOf, sharedCacheControl } from './rulesets.ts';
import { TagNames } from './tags.ts';

/** Loads the names of tags when they are first needed. */
export class TagSource {
  readonly #kernel: Kernel;
  #names: Promise<TagNames> | undefined;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  async load(): Promise<TagNames> {
    this.#names ??= secretBox
      .loadKey(this.#kernel.db, 'cache-tags', randomBytes(32).toString('base64url'))
      .then((key) => new TagNames(key));
    try {
      return await this.#names;
    } catch (error) {
      this.#names = undefined;
      throw error;
    }
  }
}

/** The names of tags of a process. */
export const TAG_SOURCE = new Slot<TagSource>('names of cache tags');

/** Says if a response is the same for everybody, and other caches may keep it. */
function isOpen({ service, response, isForEverybody }: outsideCaches.Facts): boolean {
  const own = response.headers?.['Cache-Control'];
  return isForEverybody && (own === undefined ? service.cacheable === true : String(own).startsWith('public'));
}

/** A header Cache-Control with an age of no more than so many seconds. */
const cappedAge = (cacheControl: string, seconds: number): string =>
  cacheControl.replace(/max-age=(\d+)/, (_, age) => `max-age=${Math.min(Number(age), seconds)}`);

/** The headers of a response for caches outside, by the ruleset of its service. */
async function headersOf(tags: TagSource, facts: outsideCaches.Facts): Promise<outsideCaches.Headers | undefined> {
  const { site, service, response } = facts;
  if (response.status !== 200 && response.status !== 304) return undefined;
  const settings = panelSettings(site, cachingPanel);
  const ruleset = rulesetOf(service.name, response);
  const named = ruleset === undefined ? undefined : settings.operation_mapping[ruleset];
  const operation = typeof named === 'string' ? OPERATIONS.get(named) : undefined;
  const rule: Record<string, string> = {
    ...(ruleset === undefined ? {} : { 'X-Cache-Rule': ruleset }),
    ...(operation ? { 'X-Cache-Operation': String(named) } : {}),
  };
  const own = response.headers?.['Cache-Control'];
  if (!isOpen(facts))
    return () => ({ ...rule, 'Cache-Control': own === undefined ? outsideCaches.FOR_NOBODY_ELSE : String(own) });
  const ages = ruleset !== undefined && operation ? operation(settings, ruleset) : { maxAge: 0, shared: null };
  const header = settings.tag_header;
  const names = header === 'none' ? [] : (await tags.load()).ofResponse(facts.tags);
  const tagged = header === 'none' ? {} : { [header]: names.join(header === 'Cache-Tag' ? ',' : ' ') };
  const forever = isForever(response) ? cappedAge(String(own), ages.maxAge) : undefined;
  return ({ lasts, toProxy }) => {
    const cacheControl = sharedCacheControl(ages, lasts);
    if (cacheControl === undefined) return { ...rule, 'Cache-Control': outsideCaches.FOR_NOBODY_ELSE };
    return { ...rule, 'Cache-Control': forever ?? cacheControl, ...(toProxy ? tagged : {}) };
  };
}

/** Makes the headers for caches outside, for a kernel. */
export const outsideCaching = (tags: TagSource): outsideCaches.Caching => ({
  isOn: isCachingOn,
  headersOf: (facts) => headersOf(tags, facts),
  async keys() {
    const names = await tags.load();
    return ({ objects, containers }) => names.ofChange({ objects: new Set(objects), containers: new Set(containers) });
  },
});
