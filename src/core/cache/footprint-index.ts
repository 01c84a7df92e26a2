import type { ChangedTags, Footprint } from '../../database/footprint.ts';

/** Finds what is kept that a change may have made another, by what it is made of. */
export class FootprintIndex {
  readonly #byObject = new Map<number, Set<string>>();
  readonly #byContainer = new Map<number, Set<string>>();
  /** Those that any change may have made others. */
  readonly #byAnything = new Set<string>();

  add(key: string, footprint: Footprint): void {
    if (footprint === undefined) {
      this.#byAnything.add(key);
      return;
    }
    for (const oid of footprint.objects) addTo(this.#byObject, oid, key);
    for (const oid of footprint.containers) addTo(this.#byContainer, oid, key);
  }

  remove(key: string, footprint: Footprint): void {
    if (footprint === undefined) {
      this.#byAnything.delete(key);
      return;
    }
    for (const oid of footprint.objects) removeFrom(this.#byObject, oid, key);
    for (const oid of footprint.containers) removeFrom(this.#byContainer, oid, key);
  }

  /** The keys of what a change of some objects may have made another. */
  touchedBy(change: Exclude<ChangedTags, 'anything'>): Set<string> {
    const keys = new Set<string>();
    if (change.objects.size + change.containers.size === 0) return keys;
    for (const key of this.#byAnything) keys.add(key);
    for (const oid of change.objects) for (const key of this.#byObject.get(oid) ?? []) keys.add(key);
    for (const oid of change.containers) for (const key of this.#byContainer.get(oid) ?? []) keys.add(key);
    return keys;
  }
}

function addTo(index: Map<number, Set<string>>, oid: number, key: string): void {
  const keys = index.get(oid);
  if (keys) keys.add(key);
  else index.set(oid, new Set([key]));
}

function removeFrom(index: Map<number, Set<string>>, oid: number, key: string): void {
  const keys = index.get(oid);
  keys?.delete(key);
  if (keys?.size === 0) index.delete(oid);
}
