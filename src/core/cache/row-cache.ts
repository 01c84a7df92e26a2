import { LRUCache } from 'lru-cache';
import { type CacheTags, cacheTagsOf, tagsOf } from '../../database/cache-tags.ts';
import type { Row, Statement } from '../../database/database.ts';
import { noteFrozen } from '../../lib/frozen-json.ts';
import { unparsedMember } from '../../lib/unparsed-json.ts';
import { CacheCounts } from './cache-counts.ts';
import type { ChangeFeed } from './change-feed.ts';
import { TaggedCache } from './tagged-cache.ts';

/** Estimated bytes of a number, a date or a reference in memory. */
const VALUE_BYTES = 16;
/** Estimated bytes of an object or an array without its members. */
const OBJECT_BYTES = 56;
/** Minimum estimated bytes of values whose JSON text is cached. */
const LARGE_BYTES = 1000;

/** Freezes a value of JSON or of the database with all of its members. Returns its estimated bytes in memory. */
function freeze(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  if (value instanceof Date || ArrayBuffer.isView(value)) return OBJECT_BYTES;
  let bytes = OBJECT_BYTES;
  for (const key in value) {
    const unparsed = unparsedMember(value, key);
    bytes += VALUE_BYTES + (unparsed ? unparsed.share(freeze) : freeze((value as Row)[key]));
  }
  if (bytes > LARGE_BYTES) noteFrozen(value);
  Object.freeze(value);
  return bytes;
}

/** Maximum number of texts of statements that have numbers. */
const MAX_TEXTS = 2000;

/** Numbers that stand for the texts of statements in keys: a text of thousands of characters is hashed once, not with each request. */
class TextNumbers {
  readonly #numbers = new LRUCache<string, number>({ max: MAX_TEXTS });
  #last = 0;

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#numbers.set(text, this.#last);
    return this.#last;
  }
}

/** Rows by the value of a column. */
function groupedBy<R extends Row>(rows: readonly R[], column: string): Map<unknown, R[]> {
  const groups = new Map<unknown, R[]>();
  for (const row of rows) {
    const group = groups.get(row[column]);
    if (group) group.push(row);
    else groups.set(row[column], [row]);
  }
  return groups;
}

/** Runs a statement. */
type Reader<R> = (statement: Statement) => Promise<R[]>;

/** Rows with their tags. */
type Read<R> = { rows: R[]; tags: CacheTags };

/**
 * Rows of reading statements, so that a new response need not read rows again that were read for others. Only statements with tags are cached, until
 * one of their tags changes: a request gets the rows that the database would return at its time (docs/caching-inside.md).
 */
export class RowCache {
  readonly #cached: TaggedCache<readonly Row[]>;
  readonly #texts = new TextNumbers();
  readonly #counts: CacheCounts;

  /** `capacity` in bytes; 0 caches nothing. */
  constructor(changes: ChangeFeed, capacity: number, counts = new CacheCounts()) {
    this.#counts = counts;
    this.#cached = new TaggedCache(changes, capacity, counts);
  }

  /** The access of one request: create it before the request reads anything. */
  forRequest(): RequestRows {
    return new RequestRows(this.#cached, this.#texts, this.#counts);
  }
}

/** The access of one request to the cached rows. */
export class RequestRows {
  readonly #cached: TaggedCache<readonly Row[]>;
  readonly #texts: TextNumbers;
  readonly #counts: CacheCounts;
  /** The version before anything was read: later statements may depend on rows that were read first, such as settings. */
  #version: number;
  #hasRead = false;
  /** True when the cache was confirmed since the request last read from the database. */
  #isConfirmed = false;

  constructor(cached: TaggedCache<readonly Row[]>, texts: TextNumbers, counts: CacheCounts) {
    this.#cached = cached;
    this.#texts = texts;
    this.#counts = counts;
    this.#version = cached.version;
  }

  /**
   * The rows of a statement, from memory or from `read`, which runs it, with their tags. Requests share the rows, so they must not be changed.
   */
  async query<R extends Row>(statement: Statement, read: Reader<R>): Promise<Read<R>> {
    if (statement.each !== undefined && this.#cached.isOn) {
      const rows = await this.#queryEach(statement, statement.each, read);
      return { rows, tags: tagsOf(statement, rows) };
    }
    const isCached = statement.tags !== undefined && this.#cached.isOn;
    const key = isCached ? `${this.#texts.of(statement.text)}\n${JSON.stringify(statement.values)}` : undefined;
    const known = key === undefined ? undefined : await this.#find(key);
    if (known) {
      this.#counts.hits += 1;
      // The same statement returned the rows, so they have its columns.
      return { rows: [...known.value] as R[], tags: known.tags };
    }
    if (key !== undefined) {
      this.#hasRead = true;
      this.#counts.misses += 1;
    }
    const rows = await read(statement);
    this.#isConfirmed = false;
    const tags = tagsOf(statement, rows);
    if (key !== undefined) {
      const size = freeze(rows);
      this.#cached.set(key, rows, { version: this.#version, tags, size });
    }
    return { rows, tags };
  }

  /** The rows of a statement whose rows are cached for each object, in the order of the objects. Reads those of the others with one statement. */
  async #queryEach<R extends Row>(statement: Statement, column: string, read: Reader<R>): Promise<R[]> {
    const [listed, ...more] = statement.values ?? [];
    const oids = [...new Set(listed as readonly number[])];
    const key = `${this.#texts.of(statement.text)}\n${JSON.stringify(more)}`;
    const known = new Map<number, readonly Row[]>();
    for (const oid of oids) {
      const found = await this.#find(`${key}\n${oid}`);
      if (found) known.set(oid, found.value);
    }
    const others = oids.filter((oid) => !known.has(oid));
    this.#counts.hits += known.size;
    this.#counts.misses += others.length;
    if (others.length > 0) {
      this.#hasRead = true;
      const rows = await read({ ...statement, values: [others, ...more] });
      this.#isConfirmed = false;
      const groups = groupedBy(rows, column);
      for (const oid of others) {
        const own = groups.get(oid) ?? [];
        const making = { version: this.#version, tags: cacheTagsOf([oid]), size: freeze(own) };
        this.#cached.set(`${key}\n${oid}`, own, making);
        known.set(oid, own);
      }
    }
    return oids.flatMap((oid) => known.get(oid) ?? []) as R[];
  }

  /** Finds rows, but none that are older than rows that this request has read before. */
  async #find(key: string) {
    if (!this.#cached.has(key)) return undefined;
    if (!this.#isConfirmed) {
      await this.#cached.confirm();
      this.#isConfirmed = true;
      if (!this.#hasRead) this.#version = this.#cached.version;
    }
    return this.#cached.find(key);
  }
}
