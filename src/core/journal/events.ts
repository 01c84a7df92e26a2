import type { Site } from '../configuration/site/site.ts';
import type { ResolvedNode, TreeNode } from '../types/content-row.ts';

/** Changes of content and of the settings of the site. Subscribers get the number of the object: they read what they need in the transaction. */
export type CoreEvents = {
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
    /** The numbers of the objects below that others may view by now, where those are known. */
    seenByOthers?: readonly number[];
  };
  /** Local roles or their inheritance changed. */
  'content.shared': { oid: number; before: Sharing; after: Sharing };
  /** Children of `parent` stand in another order: those that have another position. Undefined when all are numbered anew. */
  'content.reordered': { parent: number; moves: readonly PositionChange[] | undefined };
  /** An object got another group of translations; null stands for no group. */
  'content.translated': { oid: number; before: string | null; after: string | null };
  /** Settings of some panels changed: `names` are their names as `<panel>.<name>`, `before` is the site as it was. */
  'settings.changed': { panels: string[]; names: string[]; before: Site };
  'site.changed': SiteChange;
};

/** Events of packages, which add their types here: `declare module 'canopy-server' { interface PackageEvents { 'shop.sold': { oid: number } } }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it has the members that are merged into it.
export interface PackageEvents {}

/**
 * All events with their data. A feature that emits others adds their type here (`declare module '#core'`), and describes them in
 * `events`: see `EventDescription`.
 */
export interface ContentEvents extends CoreEvents, PackageEvents {}

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

/** The name of an event. */
export type EventName = keyof ContentEvents;
