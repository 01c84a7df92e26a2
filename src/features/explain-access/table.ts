import {
  access,
  type Caller,
  callers,
  contentPath,
  type contentSql,
  permissions,
  publishing,
  type Queryable,
  type Site,
  security,
  type TreeNode,
  VIEW,
} from '#core';
import { loadPrincipals, type RatedPrincipal } from './principals.ts';
import { nodesAt, viewableBelow } from './statements.ts';

/** The rights of principals on one object. */
export type TableRow = {
  node: TreeNode;
  principals: { principal: RatedPrincipal; allowed: readonly boolean[] }[];
};

/** The request for a table. */
export type TableRequest = {
  site: Site;
  /** The caller of the request: objects that the caller may not view and share are in no row. */
  asker: Caller;
  path: string;
  permissions: readonly string[];
  /** Tokens of principals of each row; undefined for all roles, and the users and groups with local roles that count on the object. */
  principals: readonly string[] | undefined;
};

/** The tokens by which statements select objects that the asker may view at and below the path. */
export const viewersAt = ({ site, asker, path }: Pick<TableRequest, 'site' | 'asker' | 'path'>): contentSql.Viewers =>
  publishing.viewersOf(site, callers.at(asker, path));

/** The chains of objects by their paths. Other containers are loaded with one statement. */
async function chainsOf(
  db: Queryable,
  site: Site,
  nodes: readonly TreeNode[],
): Promise<(node: TreeNode) => security.Node[]> {
  const known = new Map(nodes.map((node) => [node.path, access.node(site, node)]));
  const missing = new Set(nodes.flatMap(({ path }) => contentPath.to(path)).filter((path) => !known.has(path)));
  for (const node of await nodesAt(db, [...missing])) known.set(node.path, access.node(site, node));
  return ({ path }) =>
    contentPath
      .to(path)
      .reverse()
      .flatMap((one) => known.get(one) ?? []);
}

/** Says if a request that needs the permission passes. */
const passes = (site: Site, caller: Caller, chain: readonly security.Node[], permission: string): boolean =>
  [permissions.USE_API, permission].every((one) => security.can(one, caller, chain, site.roleMap));

/** Rates objects, one after the other. All statements run before the first object is rated. */
async function rating(
  db: Queryable,
  request: TableRequest,
  nodes: readonly TreeNode[],
): Promise<(node: TreeNode) => TableRow | undefined> {
  const { site, asker } = request;
  const chainOf = await chainsOf(db, site, nodes);
  const isShared = (chain: readonly security.Node[]) =>
    [VIEW, permissions.DELEGATE_ROLES].every((one) => security.can(one, asker, chain, site.roleMap));
  const roles = site.roles.map(({ id }) => `role:${id}`);
  const tokensOf = (chain: readonly security.Node[]): readonly string[] =>
    request.principals ?? [...roles, ...[...security.localRolesAt(chain).keys()].sort()];
  const chains = nodes.map(chainOf).filter(isShared);
  const found = await loadPrincipals(db, site, [...new Set(chains.flatMap(tokensOf))]);
  return (node) => {
    const chain = chainOf(node);
    if (!isShared(chain)) return undefined;
    const principals = tokensOf(chain).flatMap((token) => {
      const principal = found.get(token);
      if (!principal) return [];
      const allowed = request.permissions.map((permission) => passes(site, principal.caller, chain, permission));
      return [{ principal, allowed }];
    });
    return { node, principals };
  };
}

/** A part of a table. `next` is the path behind which the following part begins; undefined at the end. */
export type TablePart = { rows: TableRow[]; next: string | undefined };

/**
 * Loads the part of a table after a path: among `size` objects that the asker may view, the objects that the asker may share. It ends earlier after
 * so many entries.
 */
export async function loadPart(
  db: Queryable,
  request: TableRequest,
  { after, size, maxEntries }: { after: string; size: number; maxEntries: number },
): Promise<TablePart> {
  const { path } = request;
  const found = await viewableBelow(db, viewersAt(request), { path, after, limit: size + 1 });
  const nodes = found.slice(0, size);
  const rate = await rating(db, request, nodes);
  const rows: TableRow[] = [];
  let entries = 0;
  for (const [at, node] of nodes.entries()) {
    const row = rate(node);
    if (row) rows.push(row);
    entries += row?.principals.length ?? 0;
    if (entries >= maxEntries && at + 1 < found.length) return { rows, next: node.path };
  }
  return { rows, next: found.length > size ? nodes.at(-1)?.path : undefined };
}
