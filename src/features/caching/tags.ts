import { createHmac } from 'node:crypto';
import type { CacheTags, siteChanges } from '#core';

/** Characters of a tag. Two things with the same tag are evicted together, which does no harm. */
const TAG_LENGTH = 8;
/** Names of objects and lists in one response; with more, names of buckets stand for them. */
const MAX_NAMES = 64;
const BUCKETS = 256;
/** The number of tags is a multiple of this, so that it does not reveal the number of hidden objects. */
const TAG_STEP = 8;
/** Changed objects and lists that are purged one by one; with more, everything is purged. */
const MAX_CHANGED = 500;

const OBJECT = 'object';
const LIST = 'list';

/** The changed objects and lists, or anything. */
export type ChangedTags = NonNullable<Awaited<ReturnType<typeof siteChanges.load>>['change']>;

/**
 * The tags for the objects and lists that responses are made of. They are made with a secret key, so that they do not reveal what they stand for, and
 * stay the same as long as the site has the key.
 */
export class TagNames {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** The tag of every response. */
  get everything(): string {
    return this.#name('everything');
  }

  /** The tag of responses that any change may affect. */
  get anything(): string {
    return this.#name('anything');
  }

  /** The tags of a response, in no more than some 5,000 characters. */
  ofResponse(made: CacheTags): string[] {
    if (made === undefined) return this.#padded([this.everything, this.anything]);
    const { objects, containers } = made;
    const name = objects.size + containers.size > MAX_NAMES ? this.#bucket : this.#exact;
    const names = [...[...objects].map((oid) => name(OBJECT, oid)), ...[...containers].map((oid) => name(LIST, oid))];
    return this.#padded([this.everything, ...new Set(names)]);
  }

  /** The tags of the responses that a change may have affected. */
  ofChange(change: ChangedTags): string[] {
    if (change === 'anything' || change.objects.size + change.containers.size > MAX_CHANGED) return [this.everything];
    const both = (kind: string, oid: number): string[] => [this.#exact(kind, oid), this.#bucket(kind, oid)];
    const names = [
      ...[...change.objects].flatMap((oid) => both(OBJECT, oid)),
      ...[...change.containers].flatMap((oid) => both(LIST, oid)),
    ];
    return [...new Set([this.anything, ...names])];
  }

  #exact = (kind: string, oid: number): string => this.#name(`${kind} ${oid}`);

  #bucket = (kind: string, oid: number): string => this.#name(`bucket of ${kind} ${oid % BUCKETS}`);

  /** Sorts names and fills them up with tags that stand for nothing; the same names always get the same fillers. */
  #padded(names: string[]): string[] {
    const sorted = [...names].sort();
    const seed = sorted.join(' ');
    const missing = (TAG_STEP - (names.length % TAG_STEP)) % TAG_STEP;
    return [...sorted, ...Array.from({ length: missing }, (_, i) => this.#name(`nothing ${i} ${seed}`))].sort();
  }

  #name(what: string): string {
    return createHmac('sha256', this.#key).update(what).digest('base64url').slice(0, TAG_LENGTH);
  }
}
