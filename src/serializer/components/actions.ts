import { has } from '../../content/permissions.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Action } from '../../site/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { Component } from '../components.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { conditionHolds } from './action-conditions.ts';

/** Whether the caller is offered the action on the object. */
function isOffered(context: RenderContext, resolved: ResolvedNode, { permission, condition }: Action): boolean {
  if (condition !== undefined && !conditionHolds(condition, context, resolved)) return false;
  return permission === undefined || has(context.site, context.caller, resolved, permission);
}

/**
 * The entries of menus for the caller on the object, by category (plone.restapi §7, `@actions`). Each category of
 * the site is there, also when it has no entries: clients read them without looking.
 */
export function offeredActions(context: RenderContext, resolved: ResolvedNode): Record<string, JsonObject[]> {
  const { site, base } = context;
  const addresses: Record<string, string> = { object_url: urlOf(base, resolved.object.path), portal_url: base };
  const entry = ({ id, title, url, icon = '' }: Action) => ({
    id,
    title,
    icon,
    url: url?.replace(/\$\{(object_url|portal_url)\}/g, (_whole, name: string) => addresses[name] ?? '') ?? null,
  });
  return Object.fromEntries(
    [...site.actions].map(([category, actions]) => [
      category,
      actions.filter((action) => isOffered(context, resolved, action)).map(entry),
    ]),
  );
}

export const actions: Component = {
  name: 'actions',
  expand: async (context, resolved) => offeredActions(context, resolved),
};
