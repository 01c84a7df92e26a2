import { isRoot } from '../../content/locate.ts';
import { canCheckOut } from '../../features/working-copies/working-copy-rights.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { RenderContext } from '../render-context.ts';

type Condition = (context: RenderContext, resolved: ResolvedNode) => boolean;

const isAnonymous: Condition = ({ caller }) => caller.id === null;

/** The conditions by the names that profiles use (docs/profiles.md, Actions). */
const CONDITIONS: Record<string, Condition> = {
  anonymous: isAnonymous,
  authenticated: ({ caller }) => caller.id !== null,
  self_registration: (context, resolved) =>
    isAnonymous(context, resolved) && context.site.settings.get('security')?.enable_self_reg === true,
  is_folderish: ({ site }, { object }) => site.types.get(object.type)?.folderish === true,
  not_root: (_context, { object }) => !isRoot(object),
  can_check_out: (_context, { object }) => canCheckOut(object),
  is_working_copy: (_context, { object }) => object.workingCopyOf !== null,
  has_versioning: ({ site }, { object }) => site.types.get(object.type)?.behaviorNames.has('versioning') === true,
};

/**
 * Whether a named condition of an action holds for the object. One that nothing provides holds nowhere: an
 * action of something that the server does not do is not offered.
 */
export function conditionHolds(name: string, context: RenderContext, resolved: ResolvedNode): boolean {
  return Object.hasOwn(CONDITIONS, name) && CONDITIONS[name]?.(context, resolved) === true;
}
