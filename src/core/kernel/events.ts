import type { Transaction } from '../../database/database.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Caller } from '../security/caller.ts';
import type { ResolvedNode, TreeNode } from '../types/content-row.ts';

/**
 * Changes of content, its comments, and the settings of the site. Subscribers get the number of the object and read the data that
 * they need in the transaction.
 */
export type ContentEvents = {
  /**
   * `note` is the client's comment. Without `site` the object gets no version of its own before its first change. `written` is the
   * object as it was when the event began, where that is known without reading it.
   */
  'content.created': { oid: number; site?: Site; note?: string; written?: ResolvedNode };
  /**
   * `fields`: names of the fields and columns that changed; `before`: their stored values before, in the form of
   * `joinColumns`. The versions are made of them, so that every change of fields or layout must be reported.
   */
  'content.modified': {
    oid: number;
    fields: string[];
    before: Record<string, unknown>;
    site: Site;
    note?: string;
    /** The object as it was when the event began, where that is known without reading it. */
    written?: ResolvedNode;
  };
  /**
   * Before the object and everything below it go; with `recyclable` they may be kept for somebody who wants them back. A working copy
   * goes as well when it is checked in: then its values stay, `checkedIn` in its baseline.
   */
  'content.removing': {
    oid: number;
    path: string;
    site: Site;
    recyclable: boolean;
    isWorkingCopy: boolean;
    /** The path of the baseline. */
    checkedIn?: string | undefined;
  };
  /** An object and everything below it were copied from the path `from` to `to`; `oid` is the copy. One event for all copies. */
  'content.copied': { oid: number; from: string; to: string; site: Site };
  /** An import has written objects, containers before what is in them. It has indexed them. */
  'content.imported': { oids: readonly number[]; site: Site };
  /** An object and everything below it came back from the recycle bin: `from` is where it was deleted. One event for all. */
  'content.restored': { oid: number; from: string; to: string; site: Site };
  /** `before` is where in its container the object was, `after` where it is. `left` are the containers that it was in, the nearest first. */
  'content.moved': {
    oid: number;
    from: string;
    to: string;
    before: ContentPlace & { position: number };
    after: ContentPlace;
    left: readonly TreeNode[];
    site: Site;
  };
  'content.transitioned': {
    oid: number;
    transition: string;
    from: string;
    to: string;
    comment: string;
    /** The dates of publication that the transition has changed. */
    dates: DateChanges;
    site: Site;
  };
  /** Local roles or their inheritance changed. */
  'content.shared': { oid: number; before: Sharing; after: Sharing };
  /** Children of `parent` stand in another order: those that have another position. Undefined when all are numbered anew. */
  'content.reordered': { parent: number; moves: readonly PositionChange[] | undefined };
  /** Somebody commented on the object `oid`; `comment` is the id of the comment. */
  'comment.created': { oid: number; comment: string; said: CommentSaid; site: Site };
  'comment.changed': { oid: number; comment: string };
  /** Before a comment and all replies to it go. Comments that go with their object have no event of their own. */
  'comment.removing': { oid: number; comment: string; said: CommentSaid; site: Site };
  'comment.transitioned': {
    oid: number;
    comment: string;
    from: string;
    to: string;
    said: CommentSaid;
    site: Site;
  };
  /** An object became a translation of others, or ceased to be one: `before` and `after` are its groups. */
  'content.translated': { oid: number; before: string | null; after: string | null };
  /**
   * Somebody has sent something with the content `oid` that is no content: what a form takes, or a mail. `part` and `change` say what,
   * as in `site.changed`; `name` is the id of the form, empty for mails.
   */
  'message.sent': { oid: number; part: string; change: string; name: string };
  /** A user got a token for name and password. The event has its own transaction. */
  'user.loggedIn': { id: string; site: Site };
  'user.loggedOut': { id: string; site: Site };
  'user.created': { id: string; site: Site };
  /** Before the account goes. */
  'user.removing': { id: string; site: Site };
  /**
   * Name and password, or the code, of a login were wrong; `login` is the text that was typed, which may be anything. The event has
   * a transaction of its own.
   */
  'user.loginFailed': { login: string; address: string; factor: 'password' | 'code' };
  /** Settings of some panels changed: `names` are their names as `<panel>.<name>`, `before` is the site as it was. */
  'settings.changed': { panels: string[]; names: string[]; before: Site };
  'site.changed': SiteChange;
};

/**
 * A change of something else than content that no other event tells: which kind of thing (`part`), its id, and what was done to it.
 * It has names only, never values that may be secret.
 */
export type SiteChange = {
  part: string;
  id: string;
  /** A participle such as `created`, `edited`, `removed`. */
  change: string;
  /** Names of what changed in it. */
  names?: readonly string[];
  /** Ids of roles, members or the like that it got and lost. */
  added?: readonly string[];
  removed?: readonly string[];
  /** Lines about values of content that are not served any more. */
  hidden?: readonly string[];
  /** The content that it belongs to; the root unless given. */
  path?: string;
};

/** A place in the tree: the number of the container, and the name in it. */
export type ContentPlace = { parent: number; name: string };

/** Local roles, and whether those of containers count. */
export type Sharing = { localRoles: Record<string, string[]>; inheritRoles: boolean };

/** Dates of publication as they were and as they are. */
export type DateChanges = Partial<Record<'effective' | 'expires', { before: Date | null; after: Date | null }>>;

/** A child with its position among the others before and after. */
export type PositionChange = { oid: number; before: number; after: number };

/** Text of a comment and its author. `author` is the id of a user; null for visitors. */
export type CommentSaid = { text: string; author: string | null; authorName: string; inReplyTo: string | null };

export type EventName = keyof ContentEvents;

/** A subscriber inside the transaction of the change: when it throws, nothing of the change remains. */
export type Subscriber<N extends EventName> = (
  event: ContentEvents[N],
  context: { tx: Transaction; caller: Caller },
) => void | Promise<void>;

/** A subscriber after the commit: it can undo nothing; a failure is logged. */
export type AfterCommitSubscriber<N extends EventName> = (
  event: ContentEvents[N],
  context: { caller: Caller },
) => void | Promise<void>;

type Listening<N extends EventName> = { subscriber: Subscriber<N>; wants(event: ContentEvents[N]): boolean };
type Lists = { [N in EventName]?: Listening<N>[] };
type AfterLists = { [N in EventName]?: AfterCommitSubscriber<N>[] };

/** The events of the site. Subscribers run one after the other, in the order of their registration. */
export class Events {
  readonly #inside: Lists = {};
  readonly #after: AfterLists = {};

  /** Runs `subscriber` in the transaction of every such event, or of those that it wants. */
  on<N extends EventName>(
    name: N,
    subscriber: Subscriber<N>,
    wants: (event: ContentEvents[N]) => boolean = () => true,
  ): void {
    const list: Listening<N>[] = this.#inside[name] ?? [];
    list.push({ subscriber, wants });
    this.#inside[name] = list as Lists[N];
  }

  /** Says if a subscriber wants an event. It saves the transaction of unwanted events that belong to no write. */
  isWanted<N extends EventName>(name: N, event: ContentEvents[N]): boolean {
    const inside = (this.#inside[name] ?? []) as Listening<N>[];
    return this.#after[name] !== undefined || inside.some(({ wants }) => wants(event));
  }

  /** Runs `subscriber` once the transaction of such an event is committed, and only then. */
  afterCommit<N extends EventName>(name: N, subscriber: AfterCommitSubscriber<N>): void {
    const list: AfterCommitSubscriber<N>[] = this.#after[name] ?? [];
    list.push(subscriber);
    this.#after[name] = list as AfterLists[N];
  }

  /** Calls all subscribers of an event that happens in `tx`. */
  async emit<N extends EventName>(
    name: N,
    event: ContentEvents[N],
    context: { tx: Transaction; caller: Caller },
  ): Promise<void> {
    for (const { subscriber, wants } of (this.#inside[name] ?? []) as Listening<N>[])
      if (wants(event)) await subscriber(event, context);
    for (const subscriber of (this.#after[name] ?? []) as AfterCommitSubscriber<N>[]) {
      context.tx.afterCommit(() => subscriber(event, { caller: context.caller }));
    }
  }
}
