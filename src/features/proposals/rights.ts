import {
  ADD,
  type Caller,
  callers,
  contentPath,
  DELETE,
  has,
  MODIFY,
  permissions,
  type RequestContext,
  type ResolvedNode,
  type Site,
  VIEW,
} from '#core';
import type { ListedProposal, Target, TargetKind } from './statements/proposals.ts';

/** The permissions for each kind of write, one of which is enough to be asked for its approval. The write itself checks what it needs. */
const RIGHTS: Readonly<Record<TargetKind, readonly string[]>> = {
  add: [ADD],
  change: [MODIFY],
  remove: [DELETE],
  transition: [MODIFY, permissions.REVIEW],
  view: [VIEW],
};

/** Permissions that decide on writes in general. Types, fields and workflows name others. */
const WRITING = [ADD, MODIFY, DELETE, permissions.REVIEW, 'Copy or Move', 'Request review'];

/** Permissions that open something for reading, or more than content: they never count as held. */
const READING: ReadonlySet<string> = new Set([
  VIEW,
  permissions.ACCESS_VERSIONS,
  permissions.ACCESS_INACTIVE,
  permissions.USE_API,
  permissions.MANAGE_PORTAL,
  permissions.MANAGE_USERS,
  permissions.DELEGATE_ROLES,
]);

/** The permissions that writes of content can need on a site. */
function writingPermissions(site: Site): ReadonlySet<string> {
  const ofTypes = [...site.types.values()].flatMap(({ add_permission: add, fields }) => [
    ...(add === undefined ? [] : [add]),
    ...fields.flatMap(({ write_permission: write }) => (write === undefined ? [] : [write])),
  ]);
  const ofWorkflows = [...site.workflows.values()].flatMap(({ transitions }) =>
    Object.values(transitions).flatMap(({ guard }) => guard?.permissions ?? []),
  );
  return new Set([...WRITING, ...ofTypes, ...ofWorkflows].filter((permission) => !READING.has(permission)));
}

/**
 * The user as one who rehearses writes: what may be viewed and proposed may be written, in a transaction that is rolled back. With
 * `merges` also former states count that a proposal began from, which were checked when it was handed in.
 */
export function rehearsing(site: Site, caller: Caller, { merges = false } = {}): Caller {
  const writing = writingPermissions(site);
  return { ...caller, rehearses: merges ? new Set([...writing, permissions.ACCESS_VERSIONS]) : writing };
}

/**
 * The context of requests that are rehearsed as `actor` and rolled back. Nothing of them stays: agents may see what would happen, although they may
 * not do it.
 */
export function rehearsalAs(context: RequestContext, actor: Caller): RequestContext {
  const { authentication } = context;
  const { agent: _agent, ...caller } = actor;
  const limits = authentication.limits && { ...authentication.limits, scopes: undefined };
  return { ...context, caller, authentication: { ...authentication, limits, caller } };
}

/** A reader with the present objects of proposals, by their UIDs. Decisions are kept, because lists ask for the same objects often. */
export class Reader {
  readonly site: Site;
  readonly caller: Caller;
  readonly #nodes: ReadonlyMap<string, ResolvedNode>;
  readonly #decided = new Map<string, boolean>();

  constructor(site: Site, caller: Caller, nodes: readonly ResolvedNode[]) {
    this.site = site;
    this.caller = caller;
    this.#nodes = new Map(nodes.map((node) => [node.object.uid, node]));
  }

  /** The object of a target; undefined for one that is gone or that the reader may not view. */
  seen({ uid }: Pick<Target, 'uid'>): ResolvedNode | undefined {
    const node = this.#nodes.get(uid);
    // A token for a part of the site shows nothing of the others, also what everybody may view.
    const isOutside = this.caller.within && node && callers.at(this.caller, node.object.path).id === null;
    return !isOutside && this.#has(uid, [VIEW]) ? node : undefined;
  }

  /** Says if the reader may view the proposal. */
  sees(proposal: Pick<ListedProposal, 'creator' | 'targets' | 'reviewers'>): boolean {
    if (this.isCreator(proposal) && !this.caller.within) return true;
    const { targets } = proposal;
    if (targets.length === 0 || !targets.every((target) => this.seen(target))) return false;
    return this.isCreator(proposal) || this.isAsked(proposal) || this.mayDo(proposal);
  }

  isCreator({ creator }: Pick<ListedProposal, 'creator'>): boolean {
    return this.caller.id === creator;
  }

  /** Says if the reader is asked, alone or in a group. */
  isAsked({ reviewers }: Pick<ListedProposal, 'reviewers'>): boolean {
    return reviewers.some((id) =>
      [`user:${id}`, `group:${id}`].some((token) => this.caller.principals.includes(token)),
    );
  }

  /** Says if the reader has the rights for the writes, as far as the objects that they touch decide. */
  mayDo({ targets }: Pick<ListedProposal, 'targets'>): boolean {
    return (
      targets.length > 0 &&
      targets.every((target) => this.seen(target) !== undefined && this.#has(target.uid, RIGHTS[target.kind]))
    );
  }

  /** Says if one of the targets was changed since, or is not there for the reader any more. */
  isOutOfDate({ targets }: Pick<ListedProposal, 'targets'>): boolean {
    return targets.some((target) => {
      const node = this.seen(target);
      if (!node) return true;
      const isHeld = target.kind === 'add' || target.kind === 'view';
      return !isHeld && node.object.modified.getTime() !== target.modified.getTime();
    });
  }

  /** Says if one of the targets is at a path or below it, as far as the reader may know where it is. */
  touches({ targets }: Pick<ListedProposal, 'targets'>, path: string): boolean {
    return targets.some((target) => contentPath.isAtOrBelow(this.seen(target)?.object.path ?? target.path, path));
  }

  #has(uid: string, anyOf: readonly string[]): boolean {
    const key = JSON.stringify([uid, anyOf]);
    const known = this.#decided.get(key);
    if (known !== undefined) return known;
    const node = this.#nodes.get(uid);
    const decided = node !== undefined && anyOf.some((permission) => has(this.site, this.caller, node, permission));
    this.#decided.set(key, decided);
    return decided;
  }
}
