import { Forbidden, Unauthorized } from '../../lib/errors.ts';
import { languagePanel } from '../configuration/panels/languages.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import { isHiddenByDates } from '../configuration/panels/publishing.ts';
import type { Site } from '../configuration/site/site.ts';
import { stateOf } from '../configuration/workflow/workflow.ts';
import type { Caller } from '../security/caller.ts';
import { can, rolesOf, type SecurityNode } from '../security/can.ts';
import { ADD, REVIEW } from '../security/permissions.ts';
import type { PlacedNode, ResolvedNode, TreeNode } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import { isRoot } from './locate.ts';

/** Permission settings of one object: its own settings override the settings of its workflow state. */
function settingsOf(site: Site, node: TreeNode): SecurityNode['settings'] {
  const state = stateOf(site, node)?.state;
  if (!node.localPermissions) return state?.permissions ?? {};
  return { ...state?.permissions, ...node.localPermissions };
}

/** Returns the data of one object that decides its security. */
export const securityNode = (site: Site, node: TreeNode): SecurityNode => ({
  localRoles: node.localRoles,
  inheritRoles: node.inheritRoles,
  settings: settingsOf(site, node),
  path: node.path,
  hidden: isHiddenByDates(site, node),
});

/** The security chain of an object: itself, its container, … the root. */
export const securityChain = (site: Site, { object, ancestors }: PlacedNode): SecurityNode[] =>
  [object, ...ancestors].map((node) => securityNode(site, node));

/** The error for a caller without a permission: 401 for Anonymous, 403 for users. */
export function reject(caller: Caller, message?: string): never {
  throw caller.id === null ? new Unauthorized(message) : new Forbidden(message);
}

/** Says if the caller has a permission on an object. */
export const has = (site: Site, caller: Caller, resolved: ResolvedNode, permission: string): boolean =>
  can(permission, caller, securityChain(site, resolved), site.roleMap);

/** Throws 401 or 403 unless the caller has the permission on the object. */
export function requirePermission(site: Site, caller: Caller, resolved: ResolvedNode, permission: string): void {
  if (!has(site, caller, resolved, permission)) reject(caller);
}

/** Roles of the caller on an object, local ones included. */
export const rolesAt = (site: Site, caller: Caller, resolved: ResolvedNode): Set<string> =>
  rolesOf(caller, securityChain(site, resolved));

/** Callers with one of these permissions may read the names and comments of earlier reviews (Plone's guard of `review_history`). */
const REVIEW_PERMISSIONS = ['Request review', REVIEW];

/** Says if the caller may read who changed the state of an object, and with which comment. */
export const mayReadReviews = (site: Site, caller: Caller, resolved: ResolvedNode): boolean =>
  REVIEW_PERMISSIONS.some((permission) => has(site, caller, resolved, permission));

/**
 * Says if comments are possible, by the value of the object, else the default of the field in its type, else the setting of the site (plone.restapi,
 * S18). Without the panel, which the feature for comments adds, comments are impossible.
 */
export function allowsDiscussion(
  site: Site,
  { type, fields }: { type: string; fields: Record<string, unknown> },
): boolean {
  const own = fields.allow_discussion ?? site.types.get(type)?.fieldByName.get('allow_discussion')?.default;
  if (typeof own === 'boolean') return own;
  const panel = site.registries.panels.get('discussion');
  return panel !== undefined && panelSettings(site, panel).globally_enabled === true;
}

/** Says if `type` has this name, its own or an alias. */
const isNamed = (type: ContentType | undefined, name: string): boolean =>
  type !== undefined && [type.id, ...(type.aliases ?? [])].includes(name);

/** Says if each object of `type` holds the content of a language, and the container is the root of a site in several languages. */
const beginsLanguage = (site: Site, { object }: ResolvedNode, type: ContentType): boolean =>
  isRoot(object) && isNamed(type, 'LRF') && panelSettings(site, languagePanel).multilingual;

/** Says if objects of `type` hold content that all languages share, and the container holds the content of a language. */
const sharesLanguages = (site: Site, { object }: ResolvedNode, type: ContentType): boolean =>
  isNamed(type, 'LIF') &&
  isNamed(site.types.get(object.type), 'LRF') &&
  panelSettings(site, languagePanel).multilingual;

/** Says if content in the container belongs to no language: it is a folder for content that all languages share, or below one. */
export const isLanguageIndependent = (site: Site, { object, ancestors }: ResolvedNode): boolean =>
  [object, ...ancestors].some(({ type }) => isNamed(site.types.get(type), 'LIF'));

/** Says if the container's type and its own constraints allow objects of `type`. */
export function takesType(site: Site, container: ResolvedNode, type: ContentType): boolean {
  const own = site.types.get(container.object.type);
  if (!own?.folderish) return false;
  const fits = own.filter_content_types
    ? own.allowed_content_types.includes(type.id)
    : type.global_allow || beginsLanguage(site, container, type) || sharesLanguages(site, container, type);
  const constrains = container.object.constrains;
  return fits && (!constrains || constrains.locally_allowed.includes(type.id));
}

/** Says if the caller may add an object of `type` to the container. */
export const mayAdd = (site: Site, caller: Caller, container: ResolvedNode, type: ContentType): boolean =>
  takesType(site, container, type) && has(site, caller, container, type.add_permission ?? ADD);
