import {
  access,
  type Caller,
  contentPath,
  has,
  permissions,
  publishing,
  type Queryable,
  type ResolvedNode,
  type Site,
  security,
  type TreeNode,
  VIEW,
} from '#core';
import { translationRows, translationsInto } from './statements.ts';
import { isLanguageRoot } from './translation-group.ts';

/**
 * Path of the container for a translation of an object: the nearest of its containers that is in the language or has a translation into it, which is
 * then taken; else the language root; else the site root, which is also the container for translations of language roots (Nick and plone.restapi,
 * `@translation-locator`). The caller may view the container.
 */
export async function translationPlace(
  db: Queryable,
  { site, caller, resolved, language }: { site: Site; caller: Caller; resolved: ResolvedNode; language: string },
): Promise<string> {
  const { object, ancestors } = resolved;
  const viewers = publishing.viewersOf(site, caller);
  if (contentPath.isRoot(object) || isLanguageRoot(site, object)) return contentPath.ROOT;
  const inactive = has(site, caller, resolved, permissions.ACCESS_INACTIVE);
  const containers = ancestors.filter((node) => !contentPath.isRoot(node));
  const oids = containers.map(({ oid }) => oid);
  const rows = oids.length === 0 ? [] : await translationsInto(db, { oids, language, ...viewers, inactive });
  const translated = new Map(
    rows.filter(({ type }) => site.types.get(type)?.folderish).map(({ oid, path }) => [oid, path]),
  );
  const mayView = (chain: readonly TreeNode[]) =>
    security.can(
      VIEW,
      caller,
      chain.map((node) => access.node(site, node)),
      site.roleMap,
    );
  for (const [i, node] of containers.entries()) {
    if (node.language === language && mayView(ancestors.slice(i))) return node.path;
    const path = translated.get(node.oid);
    if (path !== undefined) return path;
  }
  const roots = await translationRows(db, {
    oid: object.oid,
    group: null,
    roots: [`/${language}`],
    ...viewers,
    inactive,
  });
  return roots.find((row) => isLanguageRoot(site, row))?.path ?? contentPath.ROOT;
}
