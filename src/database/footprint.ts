import type { Statement } from './database.ts';

/**
 * What a response is made of, as far as content goes: it stays the same until one of these objects changes, or the list of the
 * children of one of these containers. Both by oid. Undefined where any change may make it another.
 */
export type Footprint = { objects: ReadonlySet<number>; containers: ReadonlySet<number> } | undefined;

/** The footprint of rows that any change of the site may make others, but nothing else. */
export const ofAnything = (): Footprint => undefined;

/** What changed in a span of time: these objects and lists of children, or anything. */
export type ChangedTags = { objects: ReadonlySet<number>; containers: ReadonlySet<number> } | 'anything';

/** A footprint of the oids in columns of rows. */
export function footprintOf(objects: Iterable<unknown>, containers: Iterable<unknown> = []): Footprint {
  return { objects: new Set([...objects].map(Number)), containers: new Set([...containers].map(Number)) };
}

const meet = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => {
  for (const oid of a) if (b.has(oid)) return true;
  return false;
};

/** Whether a change may have made another response of what has this footprint. */
export function isTouched(footprint: Footprint, change: ChangedTags): boolean {
  if (footprint === undefined || change === 'anything') return true;
  return meet(footprint.objects, change.objects) || meet(footprint.containers, change.containers);
}

/** Collects the footprint of one response from those of the statements that were run for it. */
export class FootprintCollector {
  /** When the collection began, in the milliseconds of `performance.now()`. */
  readonly begun = performance.now();
  /** Statements that name tables whose changes are not noted: what they are a part of is not kept. */
  readonly unwatched: Statement[] = [];
  readonly #objects = new Set<number>();
  readonly #containers = new Set<number>();
  #isKnown = true;

  /** Adds the footprint of a statement; undefined for one without a footprint. */
  add(footprint: Footprint): void {
    if (footprint === undefined) {
      this.#isKnown = false;
      return;
    }
    for (const oid of footprint.objects) this.#objects.add(oid);
    for (const oid of footprint.containers) this.#containers.add(oid);
  }

  get footprint(): Footprint {
    return this.#isKnown ? { objects: this.#objects, containers: this.#containers } : undefined;
  }
}
