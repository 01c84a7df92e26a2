import { isDeepStrictEqual } from 'node:util';
import { type ContentType, contentStates, type ResolvedNode } from '#core';
import type { JsonObject } from '#lib/json-object';
import { ROOT_UID, shownSetting, shownValue, shownValues, withRoot } from '../forms/object-form.ts';
import type { EntryOf } from '../forms/plan.ts';
import type { ApplyRun } from './apply-run.ts';

/** The parts of an object on one side. */
type Parts = { values: JsonObject; settings: JsonObject; layout?: string | null };
/** Both sides of a change of an object of a type. */
export type Sides = {
  /** Undefined for an object without a former state. */
  from: Parts | undefined;
  to: Parts;
  type: string;
};

/**
 * A setting of a plan in the form in which the object here has it: with the role of its owner, who is somebody else than there. Of what is created
 * in the name of another user, the caller `ownsAs` has this role.
 */
function settingHere(
  { object, ownsAs = '' }: { object: ResolvedNode['object']; ownsAs: string | undefined },
  present: unknown,
  name: string,
  value: unknown,
): unknown {
  if (isDeepStrictEqual(shownSetting(object, name, present), shownSetting(object, name, value))) return present;
  const isOfOwner = name === `role:user:${object.owner}` || name === `role:user:${ownsAs}`;
  const isOwners = isOfOwner && Array.isArray(present) && present.includes('Owner');
  return isOwners ? [...(Array.isArray(value) ? value : []), 'Owner'] : value;
}

/** The two states that are merged with the one here: it, with what the plan says of each side. */
export function statesOf(
  run: ApplyRun,
  { from, to, type }: Sides,
  { resolved, resolvedType, stored }: { resolved: ResolvedNode; resolvedType: ContentType; stored: JsonObject },
): { base: contentStates.State; there: contentStates.State } {
  const here = contentStates.of(resolved.object);
  const { fieldKinds } = run.kernel;
  const before = from ?? to;
  // A value that is as the plan takes for granted is that of the site, in whatever form it is stored.
  const baseValues = Object.entries(before.values).map(([name, value]): [string, unknown] => {
    const field = resolvedType.fieldByName.get(name);
    const given = from === undefined ? undefined : withRoot(value ?? null, ROOT_UID, run.root);
    const shown = field && shownValue(fieldKinds, field, here.values[name]);
    return [name, isDeepStrictEqual(shown ?? null, given ?? null) ? here.values[name] : (given ?? null)];
  });
  const settingNames = [...new Set([...Object.keys(before.settings), ...Object.keys(to.settings)])];
  const settingsOf = (side: JsonObject | undefined): JsonObject =>
    Object.fromEntries(
      settingNames.map((name) => [
        name,
        settingHere(
          { object: resolved.object, ownsAs: run.caller.ownsAs },
          here.settings[name],
          name,
          side?.[name] ?? null,
        ),
      ]),
    );
  const base: contentStates.State = {
    type,
    values: { ...here.values, ...Object.fromEntries(baseValues) },
    layout: from?.layout === undefined ? here.layout : from.layout,
    settings: { ...here.settings, ...settingsOf(from?.settings) },
  };
  return {
    base,
    there: {
      type,
      values: { ...base.values, ...stored },
      layout: to.layout === undefined ? base.layout : to.layout,
      settings: { ...base.settings, ...settingsOf(to.settings) },
    },
  };
}

const sideOf = (changes: EntryOf<'changed'>['values'], side: 'from' | 'to'): JsonObject =>
  Object.fromEntries(Object.entries(changes).map(([name, both]) => [name, both[side] ?? null]));

/** Fields that the site fills where a new object says nothing of them. */
const FILLED_BY_SITE = ['creators', 'language'];

/** The two sides of an entry. */
export function sidesOf(run: ApplyRun, entry: EntryOf<'changed'> | EntryOf<'created'>, here: ResolvedNode): Sides {
  if (entry.change === 'created') {
    const { type, layout, values, settings } = entry;
    const to = { values, settings, layout };
    if (!run.made.has(entry.uid)) return { from: undefined, to, type };
    // A new object has the values of the plan, and those that the site has added by itself.
    const state = contentStates.of(here.object);
    const site = Object.keys({ ...state.settings, ...settings }).filter((name) => name !== 'owner');
    const wanted = Object.fromEntries(site.map((name) => [name, settings[name] ?? unset(name)]));
    const fields = run.site.types.get(type)?.fieldByName;
    const filled = Object.keys(shownValues(run.kernel.fieldKinds, run.site.types.get(type), state.values));
    const cleared = filled
      .filter((name) => !FILLED_BY_SITE.includes(name) && !fields?.get(name)?.required)
      .map((name): [string, unknown] => [name, null]);
    return {
      from: { values: state.values, settings: state.settings, layout: here.object.layout },
      to: { values: { ...Object.fromEntries(cleared), ...values }, settings: wanted, layout },
      type,
    };
  }
  const { type, layout, values, settings } = entry;
  return {
    from: {
      values: sideOf(values, 'from'),
      settings: sideOf(settings, 'from'),
      ...(layout && { layout: layout.from }),
    },
    to: { values: sideOf(values, 'to'), settings: sideOf(settings, 'to'), ...(layout && { layout: layout.to }) },
    type,
  };
}

/** The value of a setting that a form does not have. */
const unset = (name: string): unknown => (name === 'inherit_roles' ? true : null);
