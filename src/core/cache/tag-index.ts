import type { CacheTags, ChangedTags } from '../../database/cache-tags.ts';

/** Finds cached values by their tags. */
export class TagIndex {
  readonly #byObject = new Map<number, Set<string>>();
  readonly #byContainer = new Map<number, Set<string>>();
  /** Keys of values without tags: any change invalidates them. */
  readonly #byAnything = new Set<string>();

  add(key: string, tags: CacheTags): void {
    if (tags === undefined) {
      this.#byAnything.add(key);
      return;
    }
    for (const oid of tags.objects) addTo(this.#byObject, oid, key);
    for (const oid of tags.containers) addTo(this.#byContainer, oid, key);
  }

  remove(key: string, tags: CacheTags): void {
    if (tags === undefined) {
      this.#byAnything.delete(key);
      return;
    }
    for (const oid of tags.objects) removeFrom(this.#byObject, oid, key);
    for (const oid of tags.containers) removeFrom(this.#byContainer, oid, key);
  }

  /** The keys that a change invalidates. */
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
