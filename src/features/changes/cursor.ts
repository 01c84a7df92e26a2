import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { type Database, secretBox } from '#core';
import type { Place } from './statements/feed.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const NUMBER_BYTES = 8;
const ID_BYTES = 16;
const PRINT_BYTES = 8;
const BYTES = IV_BYTES + 2 * NUMBER_BYTES + ID_BYTES + PRINT_BYTES + TAG_BYTES;

/**
 * The position of a reader. `listed` is the number of the last object that it has of the full list; undefined once it has all of them. `print` is the
 * digest of its rights at that time.
 */
export type Cursor = { place: Place; listed: number | undefined; print: string };

/** Stands for a completed list. */
const LISTED_ALL = 0xffff_ffff_ffff_ffffn;

/** Cursors as clients get them: encrypted, so that they cannot be forged and do not reveal how much happens in hidden content. No two are equal. */
export class Cursors {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = createHash('sha256').update(secret).digest();
  }

  seal({ place: { position, id }, listed, print }: Cursor): string {
    const numbers = Buffer.alloc(2 * NUMBER_BYTES);
    numbers.writeBigUInt64BE(BigInt(position));
    numbers.writeBigUInt64BE(listed === undefined ? LISTED_ALL : BigInt(listed), NUMBER_BYTES);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, iv);
    const name = Buffer.from(id.replaceAll('-', ''), 'hex');
    return Buffer.concat([
      iv,
      cipher.update(Buffer.concat([numbers, name, Buffer.from(print, 'hex')])),
      cipher.final(),
      cipher.getAuthTag(),
    ]).toString('base64url');
  }

  /** Opens a cursor; undefined for a text that this site has not made. */
  open(text: string): Cursor | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    let plain: Buffer;
    try {
      plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      // The text was changed, or made with the key of another site.
      return undefined;
    }
    const listed = plain.readBigUInt64BE(NUMBER_BYTES);
    const name = plain.subarray(2 * NUMBER_BYTES, 2 * NUMBER_BYTES + ID_BYTES).toString('hex');
    return {
      place: {
        position: Number(plain.readBigUInt64BE()),
        id: name.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      },
      listed: listed === LISTED_ALL ? undefined : Number(listed),
      print: plain.subarray(2 * NUMBER_BYTES + ID_BYTES).toString('hex'),
    };
  }
}

/** Loads the cursors of a site, whose key is stored in its database. */
export async function loadCursors(db: Database): Promise<Cursors> {
  return new Cursors(await secretBox.loadKey(db, 'changes-cursor', randomBytes(32).toString('base64url')));
}
