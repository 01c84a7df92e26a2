import { LRUCache } from 'lru-cache';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../../lib/schema/shapes.ts';
import { Slot } from '../../../lib/slots.ts';
import { panelSettings } from '../../configuration/panels/panel.ts';
import { securityPanel } from '../../configuration/panels/security.ts';
import type { Action } from '../../configuration/site/site.ts';
import { isRoot } from '../../content/locate.ts';
import { has } from '../../content/permissions.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import { defineComponent } from '../components.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { navigationRoot } from './chain.ts';

/** A condition that actions of profiles can name (docs/profiles.md, Actions). */
export type ActionCondition = {
  name: string;
  holds(context: RenderContext, resolved: ResolvedNode): boolean;
};

/** The conditions of a kernel by their names. */
export const ACTION_CONDITIONS = new Slot<ReadonlyMap<string, ActionCondition>>('action conditions');

const isAnonymous: ActionCondition['holds'] = ({ caller }) => caller.id === null;

/** The conditions of the core. */
export const coreActionConditions: readonly ActionCondition[] = [
  { name: 'anonymous', holds: isAnonymous },
  { name: 'authenticated', holds: ({ caller }) => caller.id !== null },
  {
    name: 'self_registration',
    holds: (context, resolved) =>
      isAnonymous(context, resolved) && panelSettings(context.site, securityPanel).enable_self_reg,
  },
  { name: 'is_folderish', holds: ({ site }, { object }) => site.types.get(object.type)?.folderish === true },
  { name: 'not_root', holds: (_context, { object }) => !isRoot(object) },
  {
    name: 'has_versioning',
    holds: ({ site }, { object }) => site.types.get(object.type)?.behaviorNames.has('versioning') === true,
  },
];

/**
 * Says if a named condition of an action holds for the object. A condition that no feature provides never holds, so actions of
 * missing features are not offered.
 */
const conditionHolds = (name: string, context: RenderContext, resolved: ResolvedNode): boolean =>
  context.kernel.slots.get(ACTION_CONDITIONS).get(name)?.holds(context, resolved) === true;

/**
 * Returns a function that says if the caller may use an action on the object. Many actions need the same permission, so each permission is looked up
 * once.
 */
function offerOf(context: RenderContext, resolved: ResolvedNode): (action: Action) => boolean {
  const known = new Map<string, boolean>();
  const may = (permission: string): boolean => {
    const seen = known.get(permission);
    if (seen !== undefined) return seen;
    const found = has(context.site, context.caller, resolved, permission);
    known.set(permission, found);
    return found;
  };
  return ({ permission, condition }) =>
    (condition === undefined || conditionHolds(condition, context, resolved)) &&
    (permission === undefined || may(permission));
}

/** The entries of menus by their categories. */
const Actions = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({ id: Type.String(), title: Type.String(), icon: Type.String(), url: Nullable(Type.String()) }),
  ),
);

/** The parts of the addresses of actions: texts, and between them names of placeholders. */
const parts = new LRUCache<string, string[]>({ max: 500 });

/** The address of an action, with the values of its placeholders. */
function filled(url: string, values: Record<string, string>): string {
  let split = parts.get(url);
  if (split === undefined) {
    split = url.split(/\$\{(object_url|navigation_root_url|portal_url)\}/);
    parts.set(url, split);
  }
  return split.map((part, at) => (at % 2 === 0 ? part : values[part])).join('');
}

/**
 * The entries of menus for the caller on the object, by category (plone.restapi §7, `@actions`). Categories without entries are included, because
 * clients expect all of them. `wanted` lists the requested categories; all categories unless given.
 */
export function offeredActions(
  context: RenderContext,
  resolved: ResolvedNode,
  wanted?: readonly string[],
): Static<typeof Actions> {
  const { site, base } = context;
  const addresses: Record<string, string> = {
    object_url: urlOf(base, resolved.object.path),
    navigation_root_url: urlOf(base, navigationRoot(site, resolved)[0].path),
    portal_url: base,
  };
  const entry = ({ id, title, url, icon = '' }: Action) => ({
    id,
    title,
    icon,
    url: url ? filled(url, addresses) : (url ?? null),
  });
  const isOffered = offerOf(context, resolved);
  return Object.fromEntries(
    [...site.actions]
      .filter(([category]) => wanted?.includes(category) ?? true)
      .map(([category, actions]) => [category, actions.filter(isOffered).map(entry)]),
  );
}

export const actions = defineComponent({
  name: 'actions',
  schema: Actions,
  expand: async (context, resolved) => offeredActions(context, resolved),
});
