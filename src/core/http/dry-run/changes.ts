import type { Notes } from '../../../database/transaction-notes.ts';
import type { JsonObject } from '../../../lib/json-object.ts';
import type { Slot, Slots } from '../../../lib/slots.ts';
import { NOTED_EVENTS } from '../../journal/bus.ts';
import { STEP_KINDS, type Step, type StepAction, type StepKinds, type StepOf } from '../../journal/steps.ts';
import { NOTED_ITEMS, type NotedItem } from '../../queue/statements/items.ts';
import { urlOf } from '../../serializer/render-context.ts';
import type { RequestContext } from '../../services/service.ts';
import type { Address, ChangedTable } from '../statements/changed-rows.ts';
import { differencesOf } from './differences.ts';
import type { SeenObject } from './seen-objects.ts';

/** Some objects as the caller sees them, with the addresses that lead to them. */
export type View = { objects: ReadonlyMap<number, SeenObject>; addresses: readonly Address[] };

/** A rehearsed write: the notes about it, the tables that it has changed, and its objects without it and with it. */
export type Rehearsed = { notes: Slots; tables: readonly ChangedTable[]; before: View; after: View };

/**
 * How much of the objects is reported. `known` shows only fields that the reader may see without the write, because the write itself may open fields:
 * for an existing object the fields that the reader sees before the write, for a new object all fields, for a copy no fields.
 */
export type Detail = 'whole' | 'known';

/** The notes of one kind. */
const valuesOf = <T>(notes: Slots, slot: Slot<Notes<T>>): readonly T[] => notes.find(slot)?.values ?? [];

/** Stands for all changes of content that the caller may not view: their number would reveal the amount of hidden content. */
const UNSEEN = { type: 'content', text: 'Something changes that you may not view.' };

/** Words for the kinds of work that have an effect outside of the site. */
const LEAVING: Readonly<Record<string, string>> = {
  mail: 'A mail leaves.',
  webhook: 'A request to another system leaves.',
  'cache-purge': 'A notice to a cache outside leaves.',
};

const textOf = <A extends StepAction>(kinds: StepKinds, { action, data }: StepOf<A>): string =>
  kinds.of(action).text(data);

/** Both sides of the rights or the state that a step changed, beyond its words. */
function sidesOf(step: Step): JsonObject {
  if (step.action === 'shared') return { rights: step.data };
  if (step.action === 'workflow') return { state: { before: step.data.from, after: step.data.to } };
  return {};
}

/** The part of the report about one object: its place, and its differences. */
function objectChange(
  base: string,
  { before, after, detail }: { before: SeenObject | undefined; after: SeenObject | undefined; detail: Detail },
): JsonObject {
  const object = after ?? before;
  if (!object) return {};
  const known = before?.json;
  const isShown = (name: string): boolean => detail === 'whole' || !known || Object.hasOwn(known, name);
  const shown = after?.json && Object.fromEntries(Object.entries(after.json).filter(([name]) => isShown(name)));
  const moved = before && after && before.path !== after.path ? { from: before.path } : {};
  return {
    '@id': urlOf(base, object.path),
    UID: object.uid,
    path: object.path,
    ...moved,
    ...(known || shown ? { fields: differencesOf(known, shown) } : {}),
  };
}

/** The changes by the steps, in their order. The first step of an object has its differences. */
function stepChanges(
  { kernel, base }: RequestContext,
  { notes, before, after }: Rehearsed,
  { isManager, detail }: { isManager: boolean; detail: Detail },
): JsonObject[] {
  const kinds = kernel.slots.get(STEP_KINDS);
  const [described, created, copied] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const unseen = [UNSEEN];
  return valuesOf(notes, NOTED_EVENTS).flatMap((noted): JsonObject[] => {
    if ('entry' in noted) {
      const { action, path, name } = noted.entry;
      if (!isManager) return [{ type: 'entry', action }];
      return [
        { type: 'entry', action, ...(path === undefined ? {} : { path }), ...(name === undefined ? {} : { name }) },
      ];
    }
    const { step } = noted;
    const { action, content } = step;
    if (content === null) return [{ type: 'site', action, text: textOf(kinds, step), data: step.data }];
    const [old, present] = [before.objects.get(content), after.objects.get(content)];
    const isFirst = !described.has(content);
    described.add(content);
    // The write itself may show a hidden object, or a copy with more fields than the original.
    const isClosed = detail === 'known' && !old && action !== 'created' && !created.has(content);
    if (isFirst && action === 'created') created.add(content);
    const isUnseen = isClosed && action !== 'copied' && !copied.has(content);
    if (action === 'copied') copied.add(content);
    if (isUnseen || (!old && !present)) return unseen.splice(0);
    const { fields, ...place } = objectChange(base, { before: old, after: present, detail });
    const text = textOf(kinds, step);
    const hasFields = isFirst && !isClosed && fields !== undefined;
    return [{ type: 'content', action, ...place, text, ...sidesOf(step), ...(hasFields ? { fields } : {}) }];
  });
}

/** The addresses that the write leads to another object, or to no object. */
function addressChanges({ base }: RequestContext, { before, after }: Rehearsed): JsonObject[] {
  const keyOf = ({ path, oid }: Address) => JSON.stringify([path, oid]);
  const [old, present] = [before, after].map(({ addresses }) => new Set(addresses.map(keyOf)));
  const changes = (view: View, known: Set<string> | undefined, change: string): JsonObject[] =>
    view.addresses.flatMap((address) => {
      const target = view.objects.get(address.oid);
      if (!target || known?.has(keyOf(address))) return [];
      const text = change === 'added' ? `${address.path} leads to ${target.path}` : `${address.path} leads nowhere`;
      return [{ type: 'address', change, address: address.path, leads_to: urlOf(base, target.path), text }];
    });
  return [...changes(after, old, 'added'), ...changes(before, present, 'removed')];
}

/** The effects outside of the site, such as mails. Only Managers get their receivers and their number: others get one entry for each kind. */
function leaving(items: readonly NotedItem[], isManager: boolean): JsonObject[] {
  const shown = isManager ? items : [...new Map(items.map((item) => [item.kind, item])).values()];
  return shown.map(({ kind, topic, summary }) => ({
    type: 'outgoing',
    kind,
    text: LEAVING[kind] ?? `Work of the kind ${kind} begins.`,
    ...(isManager ? { topic, ...summary } : {}),
  }));
}

/** The report of a rehearsed write, for its caller. */
export function changesOf(context: RequestContext, rehearsed: Rehearsed, detail: Detail = 'whole'): JsonObject[] {
  const isManager = context.caller.roles.includes('Manager');
  return [
    ...stepChanges(context, rehearsed, { isManager, detail }),
    ...addressChanges(context, rehearsed),
    ...leaving(valuesOf(rehearsed.notes, NOTED_ITEMS), isManager),
    ...(isManager ? rehearsed.tables.map((rows) => ({ type: 'rows', ...rows })) : []),
  ];
}
