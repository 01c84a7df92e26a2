import type { Row, Statement } from '../../database/database.ts';
import type { Footprint } from '../../database/footprint.ts';
import { noteFrozen } from '../../lib/frozen-json.ts';
import type { ChangeWatch } from './change-watch.ts';
import { KeptValues } from './kept-values.ts';

/** Estimated bytes of a number, a date or a reference in memory. */
const VALUE_BYTES = 16;
/** Estimated bytes of an object or an array without what it holds. */
const OBJECT_BYTES = 56;
/** What is estimated at more bytes than that is worth a text that is kept. */
const LARGE_BYTES = 1000;

/** Freezes a value of JSON or of the database with all that it holds. Returns its estimated bytes in memory. */
function freeze(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  if (value instanceof Date || ArrayBuffer.isView(value)) return OBJECT_BYTES;
  let bytes = OBJECT_BYTES;
  for (const key in value) bytes += VALUE_BYTES + freeze((value as Row)[key]);
  Object.freeze(value);
  if (bytes > LARGE_BYTES) noteFrozen(value);
  return bytes;
}

/** Rows with what they are made of. */
type Read<R> = { rows: R[]; footprint: Footprint };

/**
 * Rows that reading statements have returned, so that a response that was never made before need not read again what others
 * were made of. Only statements with a footprint come into question, and they are kept as long as nothing of it changes: whoever
 * asks gets the rows that the database would return at the time of the request (docs/decisions/0006-response-cache.md).
 */
export class KeptRows {
  readonly #kept: KeptValues<readonly Row[]>;

  /** `capacity` in bytes; 0 keeps nothing. */
  constructor(changes: ChangeWatch, capacity: number) {
    this.#kept = new KeptValues(changes, capacity);
  }

  /** The access of one request: create it before the request reads anything. */
  forRequest(): RequestRows {
    return new RequestRows(this.#kept);
  }
}

/** The access of one request to the rows that are kept. */
export class RequestRows {
  readonly #kept: KeptValues<readonly Row[]>;
  /** Before anything was read: what is asked later may depend on what was read first, such as on settings. */
  #generation: number;
  #hasRead = false;
  /** Whether what is kept was confirmed since the request last read from the database. */
  #isConfirmed = false;

  constructor(kept: KeptValues<readonly Row[]>) {
    this.#kept = kept;
    this.#generation = kept.generation;
  }

  /** The rows of a statement, from memory or from `read`, with what they are made of. Requests share them: nobody may change them. */
  async query<R extends Row>(statement: Statement, read: () => Promise<R[]>): Promise<Read<R>> {
    const isKept = statement.footprint !== undefined && this.#kept.isOn;
    const key = isKept ? `${statement.text}\n${JSON.stringify(statement.values)}` : undefined;
    const kept = key === undefined ? undefined : await this.#find(key);
    // The same statement has returned them, so that they have its columns.
    if (kept) return { rows: [...kept.value] as R[], footprint: kept.footprint };
    if (key !== undefined) this.#hasRead = true;
    const rows = await read();
    this.#isConfirmed = false;
    const footprint = statement.footprint?.(rows);
    if (key !== undefined) {
      const size = freeze(rows);
      this.#kept.set(key, rows, { generation: this.#generation, footprint, size });
    }
    return { rows, footprint };
  }

  /** No row that is older than one that this request has read before. */
  async #find(key: string) {
    if (!this.#kept.has(key)) return undefined;
    if (!this.#isConfirmed) {
      await this.#kept.confirm();
      this.#isConfirmed = true;
      if (!this.#hasRead) this.#generation = this.#kept.generation;
    }
    return this.#kept.find(key);
  }
}
