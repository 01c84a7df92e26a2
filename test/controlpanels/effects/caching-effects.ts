import { expect } from 'vitest';
import { type CacheRequest, type CacheStub, startCacheStub } from '../../support/cache-stub.ts';
import type { EffectSite, Effects } from './effect.ts';

/** A picture of one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A header of a response that everybody gets. */
async function headerOf({ site }: EffectSite, path: string, name = 'cache-control'): Promise<string | null> {
  return (await site.request('GET', path, { as: 'anonymous' })).headers.get(name);
}

/** Shows that a number of seconds stands in Cache-Control, where an operation is for a ruleset. */
async function showSeconds(
  context: EffectSite,
  { name, operation, ruleset, path }: { name: string; operation: string; ruleset: string; path: string },
): Promise<void> {
  const mapping = { [ruleset]: `plone.app.caching.${operation}Caching` };
  await context.set('caching', { enabled: true, operation_mapping: mapping, [name]: 41 });
  expect(await headerOf(context, path)).toContain('=41');
  await context.set('caching', { [name]: 42 });
  expect(await headerOf(context, path)).toContain('=42');
}

const dynamic = { ruleset: 'plone.content.dynamic', path: '/' };

/** Has a cache in place while something is shown with it. */
async function withCache(
  context: EffectSite,
  show: (cache: CacheStub, told: (how?: (request: CacheRequest) => boolean) => Promise<boolean>) => Promise<void>,
) {
  const cache = await startCacheStub();
  const path = await context.create();
  /** Says if the cache gets a request of a certain kind after a change. */
  const told = async (how = (_request: CacheRequest) => true): Promise<boolean> => {
    // Requests for earlier changes do not count.
    await new Promise((resolve) => setTimeout(resolve, 500));
    cache.requests.length = 0;
    for (let left = 40; left > 0 && !cache.requests.some(how); left -= 1) {
      if (left % 10 === 0) await context.site.request('PATCH', path, { json: { title: context.fresh('title') } });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return cache.requests.some(how);
  };
  await context.set('caching', { enabled: true, purge_enabled: true, purge_method: 'paths', domains: [] });
  try {
    await show(cache, told);
  } finally {
    await context.set('caching', { enabled: false, caching_proxies: [], purge_method: 'paths', domains: [] });
    await context.site.kernel.db.query({ text: `delete from queue_item where kind = 'cache-purge'` });
    await cache.close();
  }
}

export const CACHING_EFFECTS: Effects = {
  'caching.enabled': async (context) => {
    expect(await headerOf(context, '/')).toBe('no-cache');
    await context.set('caching', { enabled: true });
    expect(await headerOf(context, '/')).toContain('public');
  },
  'caching.operation_mapping': async (context) => {
    await context.set('caching', { enabled: true, operation_mapping: {} });
    expect(await headerOf(context, '/')).toBe('private, no-cache');
    await context.set('caching', { operation_mapping: { 'plone.content.dynamic': 'plone.app.caching.strongCaching' } });
    expect(await headerOf(context, '/', 'x-cache-operation')).toBe('plone.app.caching.strongCaching');
  },
  'caching.terse_maxage': (context) => showSeconds(context, { ...dynamic, name: 'terse_maxage', operation: 'terse' }),
  'caching.terse_smaxage': (context) => showSeconds(context, { ...dynamic, name: 'terse_smaxage', operation: 'terse' }),
  'caching.moderate_smaxage': (context) =>
    showSeconds(context, { ...dynamic, name: 'moderate_smaxage', operation: 'moderate' }),
  'caching.strong_maxage': (context) =>
    showSeconds(context, { ...dynamic, name: 'strong_maxage', operation: 'strong' }),
  'caching.strong_smaxage': (context) =>
    showSeconds(context, { ...dynamic, name: 'strong_smaxage', operation: 'strong' }),
  'caching.stable_maxage': async (context) => {
    const path = await context.create({
      ...{ '@type': 'Image', id: context.fresh('image') },
      image: { data: PICTURE, encoding: 'base64', filename: 'a.png', 'content-type': 'image/png' },
    });
    const { image } = await context.read(path);
    const address = `${path}/${image.download.replace(`${context.site.url}${path}/`, '')}`;
    const mapping = { 'plone.stableResource': 'plone.app.caching.strongCaching' };
    await context.set('caching', { enabled: true, operation_mapping: mapping, stable_maxage: 41 });
    expect(await headerOf(context, address)).toBe('public, max-age=41, immutable');
    await context.set('caching', { enabled: false });
    expect(await headerOf(context, address)).toMatch(/max-age=\d{4,}, immutable/);
  },
  'caching.tag_header': async (context) => {
    await context.set('caching', {
      ...{ enabled: true, tag_header: 'xkey' },
      operation_mapping: { 'plone.content.dynamic': 'plone.app.caching.terseCaching' },
    });
    expect(await headerOf(context, '/', 'xkey')).toMatch(/^[\w-]{8} /);
    await context.set('caching', { tag_header: 'none' });
    expect(await headerOf(context, '/', 'xkey')).toBeNull();
  },
  'caching.purge_enabled': (context) =>
    withCache(context, async (cache, told) => {
      await context.set('caching', { caching_proxies: [cache.url] });
      expect(await told()).toBe(true);
      await context.set('caching', { purge_enabled: false });
      expect(await told()).toBe(false);
      await context.set('caching', { purge_enabled: true });
    }),
  'caching.caching_proxies': (context) =>
    withCache(context, async (cache, told) => {
      expect(await told()).toBe(false);
      await context.set('caching', { caching_proxies: [cache.url] });
      expect(await told()).toBe(true);
    }),
  'caching.purge_method': (context) =>
    withCache(context, async (cache, told) => {
      await context.set('caching', { caching_proxies: [cache.url] });
      expect(await told()).toBe(true);
      expect(cache.requests.some(({ headers }) => headers['x-ban-tags'])).toBe(false);
      await context.set('caching', { tag_header: 'Surrogate-Key', purge_method: 'ban' });
      expect(await told(({ method, headers }) => method === 'BAN' && headers['x-ban-tags'] !== undefined)).toBe(true);
    }),
  'caching.domains': (context) =>
    withCache(context, async (cache, told) => {
      await context.set('caching', { caching_proxies: [cache.url], domains: ['https://www.example.org'] });
      expect(await told()).toBe(true);
      expect(cache.requests.some(({ headers }) => headers.host === 'www.example.org')).toBe(true);
    }),
};
