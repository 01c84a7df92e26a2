import {
  contentPath,
  findContent,
  has,
  locateForWrite,
  MODIFY,
  type ResolvedNode,
  requirePermission,
  tree,
  VIEW,
} from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import type { EntryOf, PlanEntry } from '../forms/plan.ts';
import type { Outline } from '../forms/plan-entries.ts';
import { type ApplyRun, addConflict, attempt, findHere, leaves, takes } from './apply-run.ts';
import { inputOf } from './values.ts';

type Created = EntryOf<'created'>;
type Moved = Outline<EntryOf<'changed'>> & { place: NonNullable<EntryOf<'changed'>['place']> };

/** An object that is to come to a place. */
export type Placing = Outline<Created> | Moved;

/** The part of an entry that says where its object is to be. */
type Place = Pick<Created, 'change' | 'path' | 'place'> | Pick<Moved, 'change' | 'path' | 'place'>;

/** The place that an entry brings an object to. */
export const targetOf = (entry: Place) => (entry.change === 'created' ? entry.place : entry.place.to);

/**
 * The container of the place of an entry; undefined where it is not here. A folder of a part of a site does not know the containers of that
 * part: they are found by their paths.
 */
export async function containerOf(run: ApplyRun, entry: Place): Promise<ResolvedNode | undefined> {
  const { parent } = targetOf(entry);
  if (parent !== '') return findHere(run, parent);
  const path = contentPath.parent(entry.path);
  const found = path === undefined ? undefined : await findContent(run.kernel, path);
  return found && has(run.site, run.caller, found, VIEW) ? found : undefined;
}

/** Gives an object that is about to be moved or removed a name of its own for the time being. */
async function moveAside(run: ApplyRun, { object }: ResolvedNode): Promise<void> {
  const id = `${object.name.slice(0, 100)}-aside-${object.uid.slice(0, 8)}`;
  const request = { caller: run.caller, path: object.path, input: { id }, bases: [], lockToken: undefined };
  await tree.update(run.kernel, request);
  run.aside.set(object.uid, object.path);
}

/** Makes a name free in a container. Returns the name that the object gets: another one where the plan counts over what has the name here. */
async function nameFor(
  run: ApplyRun,
  entry: Place & { uid: string },
  container: ResolvedNode,
): Promise<string | undefined> {
  const { name } = targetOf(entry);
  const { path, oid } = container.object;
  const occupant = await findContent(run.kernel, contentPath.child(path, name));
  if (!occupant || occupant.object.uid === entry.uid) return name;
  if (leaves(run, occupant.object.uid)) {
    await moveAside(run, occupant);
    return name;
  }
  const message = 'Other content has its address here.';
  addConflict(run, { path: entry.path, uid: entry.uid, part: 'name', message });
  return takes(run) ? tree.freeName(run.kernel.db, oid, name) : undefined;
}

/** Creates an object with the values that need no other new object. */
async function create(all: ApplyRun, entry: Created): Promise<void> {
  await attempt(all, entry, async (run) => {
    const container = await containerOf(run, entry);
    const name = container && (await nameFor(run, entry, container));
    if (!container || name === undefined) return;
    const values = await inputOf(run, { typeId: entry.type, values: entry.values, relations: false });
    const input: JsonObject = { ...values, '@type': entry.type, id: name, UID: entry.uid, layout: entry.layout };
    const { path } = await tree.create(run.kernel, {
      caller: run.caller,
      container: container.object.path,
      input,
      bases: [],
    });
    run.made.add(entry.uid);
    run.placed.add(entry.uid);
    run.report.created.push(path);
  });
}

/** Says if an object lies at a place of the plan. */
export async function liesAt(
  run: ApplyRun,
  { object, ancestors }: ResolvedNode,
  { parent, name }: { parent: string; name: string },
): Promise<boolean> {
  const container = await findHere(run, parent);
  return container !== undefined && ancestors[0]?.uid === container.object.uid && object.name === name;
}

/** Moves an object, or gives it another id. */
async function move(all: ApplyRun, entry: Moved): Promise<void> {
  await attempt(all, { path: entry.path, change: 'moved' }, async (run, tx) => {
    const here = await findHere(run, entry.uid);
    if (!here || (await liesAt(run, here, entry.place.to))) return;
    const container = await containerOf(run, entry);
    const name = container && (await nameFor(run, entry, container));
    if (!container || name === undefined) return;
    const from = run.aside.get(entry.uid) ?? here.object.path;
    const path = here.object.path;
    const { caller, kernel } = run;
    if (container.object.oid === here.object.parent) {
      await tree.update(kernel, { caller, path, input: { id: name }, bases: [], lockToken: undefined });
    } else {
      const [moved] = await tree.move(kernel, {
        caller,
        target: container.object.path,
        sources: [{ uid: here.object.uid }],
        lockToken: undefined,
      });
      if (moved && contentPath.names(moved.target).at(-1) !== name) {
        const { site, resolved } = await locateForWrite(kernel, moved.target, tx, 'change');
        if (resolved) requirePermission(site, caller, resolved, MODIFY);
        await tree.update(kernel, { caller, path: moved.target, input: { id: name }, bases: [], lockToken: undefined });
      }
    }
    run.placed.add(entry.uid);
    run.aside.delete(entry.uid);
    const after = await findHere(run, entry.uid);
    run.report.moved.push({ from, to: after?.object.path ?? from });
  });
}

/** Says if an entry brings an object to a place. */
export const places = (entry: Outline): entry is Placing =>
  entry.change === 'created' || (entry.change === 'changed' && isJsonObject(entry.place));

/** Creates an object, or moves it, unless it is there. The containers of the plan come before what is in them. */
export async function placeObject(run: ApplyRun, entry: Placing, whole: PlanEntry | undefined): Promise<void> {
  if (run.staying.has(entry.uid)) return;
  if (entry.change === 'changed') return move(run, entry);
  if (whole?.change === 'created' && (await findHere(run, entry.uid)) === undefined) await create(run, whole);
}
