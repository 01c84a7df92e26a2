import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '#lib/json-object';
import { isRight, type ObjectForm } from '../forms/object-form.ts';
import type { EntryOf, PlanEntry } from '../forms/plan.ts';
import type { IndexedObject } from './index-objects.ts';

type Changes = EntryOf<'changed'>['values'];

/** Fields that are merged as one: a plan has both where one differs. */
const TOGETHER = ['blocks', 'blocks_layout'];

/** The values that differ, on both sides. */
function changesBetween(from: JsonObject, to: JsonObject, isCompared: (name: string) => boolean): Changes {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(isCompared).sort();
  const different = new Set(names.filter((name) => !isDeepStrictEqual(from[name], to[name])));
  if (TOGETHER.some((name) => different.has(name)))
    for (const name of TOGETHER) if (names.includes(name)) different.add(name);
  return Object.fromEntries(
    [...different].sort().map((name) => [
      name,
      {
        ...(Object.hasOwn(from, name) && { from: from[name] }),
        ...(Object.hasOwn(to, name) && { to: to[name] }),
      },
    ]),
  );
}

type Place = Pick<IndexedObject, 'parent' | 'name'>;

/** Says if two places differ. A folder of a part of a site does not know the containers of that part: these are as on the other side. */
export const lieElsewhere = (one: Place, other: Place): boolean =>
  one.name !== other.name || (one.parent !== other.parent && one.parent !== '' && other.parent !== '');

/** A place with the container of the other side where its own is not known. */
const known = ({ parent, name }: Place, other: Place): Place => ({
  parent: parent === '' ? other.parent : parent,
  name,
});

/** An entry for an object that both sides have; undefined where nothing differs. */
export function changeBetween(from: ObjectForm, to: ObjectForm): PlanEntry | undefined {
  const isMoved = lieElsewhere(from.place, to.place);
  const showsRights = from.rights && to.rights;
  const values = changesBetween(from.values, to.values, () => true);
  const settings = changesBetween(from.settings, to.settings, (name) => showsRights || !isRight(name));
  const hasLayout = from.layout !== to.layout;
  if (!isMoved && !hasLayout && Object.keys(values).length + Object.keys(settings).length === 0) return undefined;
  return {
    ...{ change: 'changed', uid: to.uid, path: to.path, type: to.type },
    ...(isMoved && { place: { from: known(from.place, to.place), to: known(to.place, from.place) } }),
    ...(hasLayout && { layout: { from: from.layout, to: to.layout } }),
    values,
    settings,
  };
}

/** An entry for a new object. */
export const creationOf = ({ uid, path, place, type, layout, values, settings }: ObjectForm): PlanEntry => ({
  ...{ change: 'created', uid, path, place, type, layout, values, settings },
});

/** An entry for an object that goes. */
export const removalOf = ({ uid, path, digest }: IndexedObject): PlanEntry => ({
  ...{ change: 'removed', uid, path, digest },
});
