/**
 * The caller of a request. Made once for each request and read everywhere that permissions are decided.
 *
 * `roles` are the global roles: of the account and of all its groups, with 'Authenticated'; only 'Anonymous' for a caller who is not logged in.
 * Checks give every caller the rights of Anonymous, so the list of a logged-in caller does not contain this role.
 *
 * `principals` are tokens as in the index of viewers (`catalog.allowed`): role:<Role>, user:<id> and group:<id>. Lists show content for which both
 * sets overlap.
 */
export type Caller = {
  readonly id: string | null;
  readonly login: string;
  readonly fullname: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly principals: readonly string[];
  /** The stored name of the time zone that the user has chosen; undefined for the time zone of the site. */
  readonly timeZone?: string;
  /** The subtrees to which the credentials of the request are limited: roles and principals count nowhere else. Absent without a limit. */
  readonly within?: Confinement;
  /** The agent that acts in the name of the user; absent for the user in person, or a program with the user's credentials. */
  readonly agent?: Agent;
  /** The user who gets the role Owner of new content of this caller, if it is another user. */
  readonly ownsAs?: string;
  /** Permissions that the caller has wherever the user may view and propose, for dry runs. They do not allow any reading. */
  readonly rehearses?: ReadonlySet<string>;
};

/**
 * Something that acts in the name of users, by its id: parts of the site, an undo by that of the transaction that it takes back, a proposal
 * that was approved, a release that was published, and programs with credentials for agents by the name of these.
 */
export type Agent = {
  readonly kind: 'content-rule' | 'scheduled-transition' | 'job' | 'undo' | 'proposal' | 'release' | 'agent';
  readonly id: string;
  /** The id of the user who has approved the work, if it is another user. */
  readonly approvedBy?: string;
  /** False if its writes must not change anything that visitors see. */
  readonly publishes?: false;
};

/** Rights that a caller has at some paths and below them. */
type Confinement = {
  readonly paths: readonly string[];
  readonly caller: Caller;
  /** Only the right to view counts, for the objects at the paths, or also for content below them. */
  readonly views?: 'object' | 'subtree';
};

/** The group that every logged-in user is in; it has no stored members. */
export const AUTHENTICATED_USERS = 'AuthenticatedUsers';

/** The caller without credentials. It is frozen, because all requests without credentials share it. */
export const ANONYMOUS: Caller = Object.freeze({
  id: null,
  login: '',
  fullname: '',
  roles: Object.freeze(['Anonymous']),
  groups: Object.freeze([]),
  principals: Object.freeze(['role:Anonymous']),
});

/**
 * The caller for a known user. `roles` and `groups` are the effective ones, including inherited ones; 'Authenticated' and the virtual group are added
 * here.
 */
export function callerFor(user: {
  id: string;
  login: string;
  fullname: string;
  roles: readonly string[];
  groups: readonly string[];
  timezone?: string | null;
}): Caller {
  const roles = [...new Set(['Authenticated', ...user.roles.filter((role) => role !== 'Anonymous')])];
  const groups = [...new Set([AUTHENTICATED_USERS, ...user.groups])];
  return {
    id: user.id,
    login: user.login,
    fullname: user.fullname,
    roles,
    groups,
    principals: [
      'role:Anonymous',
      ...roles.map((role) => `role:${role}`),
      `user:${user.id}`,
      ...groups.map((group) => `group:${group}`),
    ],
    ...(user.timezone ? { timeZone: user.timezone } : {}),
  };
}

/** Login name of the first Manager. */
export const ADMIN = 'admin';

/** The caller of work by the operators of the program: at the start, and by commands. */
export const ADMINISTRATOR: Caller = callerFor({
  id: ADMIN,
  login: ADMIN,
  fullname: 'Administrator',
  roles: ['Manager'],
  groups: [],
});

/** Id of the actor of work without a user: of scheduled jobs, and of commands. */
export const SYSTEM_USER = 'system';

/**
 * The caller of work of the system, or of a job that a Manager started: the `actor`, with the role Manager even if the user has lost this role or was
 * removed since.
 */
export const systemCaller = (actor: string | null = null): Caller => {
  const id = actor ?? SYSTEM_USER;
  return callerFor({ id, login: id, fullname: '', roles: ['Manager'], groups: [] });
};

/**
 * A user who acts with the rights of another one: records and new content have the name of the user, and only the rights of `approver` count. The
 * approver gets the role Owner of new content.
 */
export function actingFor(user: Caller, approver: Caller, agent: Agent): Caller {
  const { id, login, fullname, timeZone } = user;
  const { timeZone: _approvers, within, ...rights } = approver;
  return {
    ...rights,
    ...{ id, login, fullname, agent },
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(approver.id === null ? {} : { ownsAs: approver.id }),
    ...(within && { within: { ...within, caller: actingFor(user, within.caller, agent) } }),
  };
}

/** The local roles of new content of the caller. */
export function rolesOfNew({ id, ownsAs }: Caller): Record<string, string[]> {
  const owner = ownsAs ?? id;
  return owner === null ? {} : { [`user:${owner}`]: ['Owner'] };
}

const isAtOrBelow = (path: string, container: string): boolean =>
  path === container || container === '/' || path.startsWith(`${container}/`);

/**
 * The same user with rights only at and below the paths. Elsewhere the caller has the rights of Anonymous, also where code reads `roles`, `groups`
 * and `principals` without `callerAt`.
 */
export const confinedTo = (caller: Caller, paths: readonly string[]): Caller => ({
  ...caller,
  roles: ANONYMOUS.roles,
  groups: ANONYMOUS.groups,
  principals: ANONYMOUS.principals,
  within: { paths, caller },
});

/** A caller who is not logged in, but may view the object at a path, with `subtree` also content below it, if the user may view it. */
export const viewingAs = (user: Caller, { path, subtree }: { path: string; subtree: boolean }): Caller => ({
  ...ANONYMOUS,
  within: { paths: [path], caller: user, views: subtree ? 'subtree' : 'object' },
});

/** The user whose right to view passes to the caller at a path; undefined if no right passes there. */
export function viewsAs({ within }: Caller, path: string | undefined): Caller | undefined {
  if (within?.views === undefined || path === undefined) return undefined;
  const isShown =
    within.views === 'object' ? within.paths.includes(path) : within.paths.some((top) => isAtOrBelow(path, top));
  return isShown ? within.caller : undefined;
}

/**
 * The caller whose tokens count in lists of content at and below a path. An undefined path stands for a place without a path, where the caller counts
 * as not logged in if rights are confined.
 */
export function callerAt(caller: Caller, path: string | undefined): Caller {
  const { within } = caller;
  if (!within) return caller;
  if (within.views === 'object') return ANONYMOUS;
  const inside = path !== undefined && within.paths.some((top) => isAtOrBelow(path, top));
  return inside ? within.caller : ANONYMOUS;
}

/** The caller whose tokens count in a search at and below paths: if rights count only in some subtrees, all paths must be inside. */
export function searchingCaller(caller: Caller, paths: readonly string[] = []): Caller {
  if (!caller.within) return caller;
  const callers = paths.map((path) => callerAt(caller, path));
  const [first] = callers;
  return first && callers.every((found) => found === first) ? first : caller;
}
