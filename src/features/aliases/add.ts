import {
  type Caller,
  type contentSql,
  type Kernel,
  locateForWrite,
  publishing,
  redirectRows,
  requirePermission,
  type Site,
  type Transaction,
  VIEW,
} from '#core';
import { NotFound } from '#lib/errors';
import { findUsedPaths, lockAliasTargets } from './statements.ts';

/** Permissions for the aliases of one object, and for those of the whole site. */
export const MANAGE_CONTEXT_ALIASES = 'Manage Context Aliases';
export const MANAGE_PORTAL_ALIASES = 'Manage Portal Aliases';

/** An alias to add: its path and its target, which is content of the site or an address elsewhere. */
export type WantedAlias = {
  path: string;
  target: { path: string } | { url: string };
  manual: boolean;
  created: Date;
};

/** The path of an alias without its query string: content there would take precedence over the alias. */
const withoutQuery = (path: string): string => path.split('?', 1)[0] ?? path;

const IN_USE = 'Cannot use a working path as alternative url.';
const EXISTS = 'The provided alternative url already exists!';
const NO_TARGET = 'The provided target object does not exist.';

/** Inserts the aliases whose paths are free. Returns the problems of the others by path. */
export async function insertFree(
  tx: Transaction,
  aliases: readonly redirectRows.NewRedirect[],
): Promise<Map<string, string>> {
  const used = await findUsedPaths(
    tx,
    aliases.map(({ path }) => withoutQuery(path)),
  );
  const isUsed = ({ path }: redirectRows.NewRedirect): boolean => used.has(withoutQuery(path));
  const added = await redirectRows.insertRedirects(
    tx,
    aliases.filter((alias) => !isUsed(alias)),
  );
  return new Map(
    aliases
      .filter(({ path }) => !added.has(path))
      .map((alias) => [alias.path, isUsed(alias) ? IN_USE : EXISTS] as const),
  );
}

/**
 * Adds the valid aliases of one object. Returns the problems of the others by path. Throws NotFound, and Unauthorized or Forbidden when the caller
 * may not manage the aliases of the object.
 */
export async function addContentAliases(
  kernel: Kernel,
  { caller, path, aliases }: { caller: Caller; path: string; aliases: readonly { path: string; created: Date }[] },
): Promise<Map<string, string>> {
  return kernel.db.transaction(async (tx) => {
    const { site, resolved } = await locateForWrite(kernel, path, tx, 'add-inside');
    if (!resolved) throw new NotFound(path);
    requirePermission(site, caller, resolved, VIEW);
    requirePermission(site, caller, resolved, MANAGE_CONTEXT_ALIASES);
    const { oid } = resolved.object;
    const unique = new Map(aliases.map((alias) => [alias.path, alias]));
    const rows = [...unique.values()].map((alias) => ({ ...alias, target: oid, targetUrl: null, manual: true }));
    const problems = await insertFree(tx, rows);
    const redirects = rows.filter((alias) => !problems.has(alias.path));
    if (redirects.length > 0)
      await kernel.events.emit('site.aliases', { change: 'added', redirects, path }, { tx, caller });
    return problems;
  });
}

/** Rolls the transaction back when some of the aliases cannot be added. */
class RejectedAliases extends Error {
  readonly problems: ReadonlyMap<number, string>;

  constructor(problems: ReadonlyMap<number, string>) {
    super('Some aliases cannot be added');
    this.problems = problems;
  }
}

/**
 * Adds aliases of any content or of addresses elsewhere: all of them, or none. Returns the problems by the index of the
 * alias in the list; an empty map when all are added.
 */
export async function addSiteAliases(
  kernel: Kernel,
  { site, caller, aliases }: { site: Site; caller: Caller; aliases: readonly WantedAlias[] },
): Promise<ReadonlyMap<number, string>> {
  try {
    await kernel.db.transaction(async (tx) => {
      const redirects = await insertAll(tx, publishing.viewersOf(site, caller), aliases);
      await kernel.events.emit('site.aliases', { change: 'added', redirects }, { tx, caller });
    });
    return new Map();
  } catch (error) {
    if (error instanceof RejectedAliases) return error.problems;
    throw error;
  }
}

/** Inserts all aliases. Returns their rows; throws RejectedAliases when one cannot be added. */
async function insertAll(
  tx: Transaction,
  viewers: contentSql.Viewers,
  aliases: readonly WantedAlias[],
): Promise<redirectRows.NewRedirect[]> {
  const paths = aliases.flatMap(({ target }) => ('path' in target ? target.path : []));
  const targets = await lockAliasTargets(tx, paths, viewers);
  const problems = new Map<number, string>();
  const rows = new Map<string, redirectRows.NewRedirect>();
  const numbers = new Map<string, number>();
  for (const [i, { path, target, manual, created }] of aliases.entries()) {
    const oid = 'path' in target ? targets.get(target.path) : undefined;
    if ('path' in target && oid === undefined) problems.set(i, NO_TARGET);
    else if (rows.has(path)) problems.set(i, EXISTS);
    else {
      rows.set(path, { path, target: oid ?? null, targetUrl: 'url' in target ? target.url : null, manual, created });
      numbers.set(path, i);
    }
  }
  for (const [path, problem] of await insertFree(tx, [...rows.values()])) problems.set(numbers.get(path) ?? 0, problem);
  if (problems.size > 0) throw new RejectedAliases(problems);
  return [...rows.values()];
}
