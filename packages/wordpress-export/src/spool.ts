import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { XmlNode } from './wxr.ts';

/** Where an item lies in the spool, in bytes. */
export type Spooled = { at: number; size: number };

/** Keeps items on disk, so that they can be read in another order than that of the export. */
export type Spool = {
  /** The folder, which may hold other files until the end. */
  folder: string;
  add(item: XmlNode): Spooled;
  load(place: Spooled): XmlNode;
  close(): void;
};

const isNode = (value: unknown): value is XmlNode => typeof value === 'object' && value !== null && 'children' in value;

export async function createSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-wordpress-'));
  const file = openSync(join(folder, 'items'), 'w+', 0o600);
  let end = 0;
  return {
    folder,
    add(item) {
      const bytes = Buffer.from(JSON.stringify(item));
      writeSync(file, bytes, 0, bytes.length, end);
      const place = { at: end, size: bytes.length };
      end += bytes.length;
      return place;
    },
    load({ at, size }) {
      const bytes = Buffer.allocUnsafe(size);
      readSync(file, bytes, 0, size, at);
      const item: unknown = JSON.parse(bytes.toString('utf8'));
      if (!isNode(item)) throw new Error('The spool holds something else.');
      return item;
    },
    close() {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
