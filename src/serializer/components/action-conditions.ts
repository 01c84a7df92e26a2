import { isRoot } from '../../content/locate.ts';
import { Slot } from '../../lib/slots.ts';
import { panelSettings } from '../../site/panel.ts';
import { securityPanel } from '../../site/panels/security.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { RenderContext } from '../render-context.ts';

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
 * Whether a named condition of an action holds for the object. One that nothing provides holds nowhere: an
 * action of something that the server does not do is not offered.
 */
export const conditionHolds = (name: string, context: RenderContext, resolved: ResolvedNode): boolean =>
  context.kernel.slots.get(ACTION_CONDITIONS).get(name)?.holds(context, resolved) === true;
