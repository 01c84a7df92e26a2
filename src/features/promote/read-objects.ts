import type { Readable } from 'node:stream';
import {
  type Caller,
  findContents,
  has,
  type Kernel,
  locate,
  MODIFY,
  publishing,
  type Queryable,
  type ResolvedNode,
  type Site,
  VIEW,
} from '#core';
import { NotFound } from '#lib/errors';
import { formOf, hashesIn, type ObjectForm, ROOT_UID } from './forms/object-form.ts';
import { objectsAfter } from './statements/objects.ts';

/** Objects of one page. */
const PAGE_SIZE = 100;
/** Characters of JSON after which a page ends. */
const MAX_PAGE_LENGTH = 4 * 1024 * 1024;

/** Who reads, and from where. */
export type Reading = { kernel: Kernel; db: Queryable; site: Site; caller: Caller };

/** Says if the caller reads an object in this form: it shows what only editors need. */
const mayRead = ({ site, caller }: Reading, resolved: ResolvedNode): boolean =>
  has(site, caller, resolved, VIEW) && has(site, caller, resolved, MODIFY);

/** A page of objects, and the UID behind which the next one begins; null at the end. */
export type ObjectPage = { items: ObjectForm[]; next: string | null };

/** Reads a page of the objects at and below a path that the caller may view and change, by their UIDs. */
export async function readPage(
  reading: Reading,
  { path, types, after }: { path: string; types: readonly string[] | undefined; after: string },
): Promise<ObjectPage> {
  const { kernel, db, site, caller } = reading;
  const viewers = publishing.viewersOf(site, caller);
  const uids = await objectsAfter(db, viewers, { path, types, after, limit: PAGE_SIZE });
  const found = new Map((await findContents(db, { uids })).map((one) => [one.object.uid, one]));
  const items: ObjectForm[] = [];
  let length = 0;
  for (const uid of uids) {
    const resolved = found.get(uid);
    if (resolved && mayRead(reading, resolved)) {
      const form = formOf(kernel, { site, caller }, resolved);
      items.push(form);
      length += JSON.stringify(form).length;
    }
    if (length > MAX_PAGE_LENGTH && uid !== uids.at(-1)) return { items, next: uid };
  }
  return { items, next: uids.length < PAGE_SIZE ? null : (uids.at(-1) ?? null) };
}

/** Reads objects by their UIDs, of those that the caller may view and change. */
export async function readObjects(reading: Reading, uids: readonly string[]): Promise<ObjectForm[]> {
  const { kernel, db, site, caller } = reading;
  const found = await findContents(db, { uids: uids.filter((uid) => uid !== ROOT_UID) });
  const { resolved: root } = uids.includes(ROOT_UID) ? await locate(kernel, '/', db) : { resolved: undefined };
  return [...found, ...(root ? [root] : [])]
    .filter((resolved) => mayRead(reading, resolved))
    .map((resolved) => formOf(kernel, { site, caller }, resolved));
}

/** Opens a file that an object has. Throws NotFound for another hash, and for an object that the caller may not read. */
export async function openFile(reading: Reading, { uid, hash }: { uid: string; hash: string }): Promise<Readable> {
  const [form] = await readObjects(reading, [uid]);
  if (!form || !hashesIn(form).includes(hash)) throw new NotFound(`/@promotion/files/${hash}`);
  return reading.kernel.blobs.open(hash);
}
