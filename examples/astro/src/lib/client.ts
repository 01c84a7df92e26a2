import { AsyncLocalStorage } from 'node:async_hooks';
import { createClient } from '@canopy-server/client';
import type { Site } from './canopy-types.ts';

export const CANOPY_URL = (process.env.CANOPY_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');

/** The surrogate keys of the responses that a page is made of, while it is made. */
export const pageKeys = new AsyncLocalStorage<Set<string>>();

const fetchWithKeys: typeof fetch = async (address, init) => {
  const response = await fetch(address, init);
  for (const key of response.headers.get('surrogate-key')?.split(' ') ?? []) pageKeys.getStore()?.add(key);
  return response;
};

/** Canopy, as a visitor sees it, typed by the content types of the site. */
export const canopy = createClient<Site>(CANOPY_URL, { fetch: fetchWithKeys });
