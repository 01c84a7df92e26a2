import { securityNode } from '../content/permissions.ts';
import { can } from '../security/can.ts';
import { VIEW } from '../security/permissions.ts';
import type { TreeNode } from '../storage/content-row.ts';
import type { RenderContext } from './render-context.ts';

/** Whether the caller may view the first of `chain`: an object, its container, up to the root. */
export const mayView = ({ site, caller }: RenderContext, chain: readonly TreeNode[]): boolean =>
  can(
    VIEW,
    caller,
    chain.map((node) => securityNode(site, node)),
    site.roleMap,
  );
