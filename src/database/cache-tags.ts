import type { Row, Statement } from './database.ts';

/**
 * The tags of a cached value: the objects, and the containers whose lists of children, it is made from, both by oid. The value is valid until one of
 * them changes; with undefined tags until any change.
 */
export type CacheTags = { objects: ReadonlySet<number>; containers: ReadonlySet<number> } | undefined;

/** The tags of rows that are valid until any change of the site. */
export const ofAnything = (): CacheTags => undefined;

/** The tags that changed in a span of time, or `anything`. */
export type ChangedTags = { objects: ReadonlySet<number>; containers: ReadonlySet<number> } | 'anything';

/** The tags of the oids in columns of rows. */
export function cacheTagsOf(objects: Iterable<unknown>, containers: Iterable<unknown> = []): CacheTags {
  return { objects: new Set([...objects].map(Number)), containers: new Set([...containers].map(Number)) };
}

/** The tags of the rows of a statement; undefined for rows that any change may change. */
export const tagsOf = ({ each, values, tags }: Statement, rows: readonly Row[]): CacheTags =>
  each === undefined ? tags?.(rows) : cacheTagsOf(values?.[0] as readonly number[]);

const meet = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => {
  for (const oid of a) if (b.has(oid)) return true;
  return false;
};

/** Says if a change invalidates a value with these tags. */
export function isTouched(tags: CacheTags, change: ChangedTags): boolean {
  if (tags === undefined || change === 'anything') return true;
  return meet(tags.objects, change.objects) || meet(tags.containers, change.containers);
}

/** Collects the tags of one response from the tags of its statements. */
export class TagCollector {
  /** The time at which the collection began, in the milliseconds of `performance.now()`. */
  readonly begun = performance.now();
  /** Statements that name tables whose changes are not noted; a response made from them is not cached. */
  readonly unwatched: Statement[] = [];
  readonly #objects = new Set<number>();
  readonly #containers = new Set<number>();
  #isKnown = true;

  /** Adds the tags of a statement; undefined for a statement without tags. */
  add(tags: CacheTags): void {
    if (tags === undefined) {
      this.#isKnown = false;
      return;
    }
    for (const oid of tags.objects) this.#objects.add(oid);
    for (const oid of tags.containers) this.#containers.add(oid);
  }

  get tags(): CacheTags {
    return this.#isKnown ? { objects: this.#objects, containers: this.#containers } : undefined;
  }
}
