import type { Log } from '../lib/process.ts';
import type { Slots } from '../lib/slots.ts';
import type { BlobStore } from '../storage/blobs/blob-store.ts';
import type { Database } from '../storage/database.ts';
import type { Config } from './config.ts';
import type { Events } from './events.ts';
import type { Hooks } from './hooks.ts';
import type { Registries } from './registries.ts';
import type { SiteCache } from './site-cache.ts';

/** What every part of the server works with: one for each process, with what its features bring. */
export type Kernel = Registries & {
  config: Config;
  log: Log;
  db: Database;
  blobs: BlobStore;
  sites: SiteCache;
  events: Events;
  hooks: Hooks;
  /** What layers above this one keep in the kernel, see `Slot`. */
  slots: Slots;
};
