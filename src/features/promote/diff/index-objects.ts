import { digestOf, type ObjectForm, rightsDigest } from '../forms/object-form.ts';
import type { Scope } from '../forms/scope.ts';
import type { Place } from '../places/place.ts';

/** The parts of an object in memory while places are compared: digests instead of values. */
export type IndexedObject = {
  uid: string;
  path: string;
  parent: string;
  name: string;
  position: number;
  digest: string;
  /** Undefined where the reader may not see rights. */
  rights: string | undefined;
};

/** The objects of a place by their UIDs. */
export type ObjectIndex = ReadonlyMap<string, IndexedObject>;

/** Returns the parts of an object that stay in memory. */
const indexed = (form: ObjectForm): IndexedObject => ({
  uid: form.uid,
  path: form.path,
  parent: form.place.parent,
  name: form.place.name,
  position: form.position,
  digest: digestOf(form),
  rights: form.rights ? rightsDigest(form) : undefined,
});

/** Reads the objects of a part of a place, and returns their digests and places. */
export async function indexObjects(place: Place, scope: Scope): Promise<Map<string, IndexedObject>> {
  const index = new Map<string, IndexedObject>();
  for await (const form of place.objects(scope)) index.set(form.uid, indexed(form));
  return index;
}

/** Adds objects of an index that lie outside of the scope: what one side has there, and the other one within. */
export async function addMissing(place: Place, index: Map<string, IndexedObject>, others: ObjectIndex): Promise<void> {
  const missing = [...others.keys()].filter((uid) => !index.has(uid));
  for (let at = 0; at < missing.length; at += 50)
    for (const form of await place.load(missing.slice(at, at + 50))) index.set(form.uid, indexed(form));
}

/** The UIDs of the children of each container, in their order. */
export function childrenByParent(index: ObjectIndex): Map<string, string[]> {
  const children = new Map<string, IndexedObject[]>();
  for (const object of index.values()) {
    const known = children.get(object.parent);
    if (known) known.push(object);
    else children.set(object.parent, [object]);
  }
  return new Map(
    [...children].map(([parent, list]) => [
      parent,
      list.sort((a, b) => a.position - b.position || (a.uid < b.uid ? -1 : 1)).map(({ uid }) => uid),
    ]),
  );
}
