import type { Site } from '../configuration/site/site.ts';
import type { ResolvedNode, TreeNode } from '../types/content-row.ts';

/** Changes of content and of the settings of the site. Subscribers get the number of the object, and read further data in the transaction. */
export type CoreEvents = {
  /**
   * `note` is the client's comment. Without `site` the object gets no version of its own before its first change. `written` is the object at the
   * beginning of the event, if it is known without a statement.
   */
  'content.created': { oid: number; site?: Site; note?: string; written?: ResolvedNode };
  /**
   * `fields`: names of the fields and columns that changed; `before`: their former stored values, in the form of `joinColumns`. Versions are made
   * from these, so every change of fields or layout must be reported.
   */
  'content.modified': {
    oid: number;
    fields: string[];
    before: Record<string, unknown>;
    site: Site;
    note?: string;
    /** The object at the beginning of the event, if it is known without a statement. */
    written?: ResolvedNode;
  };
  /**
   * Before the object and everything below it are removed; with `recyclable` they may be stored in the recycle bin. A working copy is also removed at
   * its check-in: then its values stay in its baseline, `checkedIn`.
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
  /** An object and everything below it were copied from the path `from` to `to`; `oid` is the copy. There is one event for all copies. */
  'content.copied': { oid: number; from: string; to: string; site: Site };
  /** An import has written and indexed objects, containers before their content. */
  'content.imported': { oids: readonly number[]; site: Site };
  /** An object and everything below it came back from the recycle bin; `from` is its path before the deletion. There is one event for all objects. */
  'content.restored': { oid: number; from: string; to: string; site: Site };
  /** `before` is the former place of the object in its container, `after` the new place. `left` are its former containers, the nearest first. */
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
    /** The numbers of the objects below whose viewers have changed, if known. */
    seenByOthers?: readonly number[];
  };
  /** Local roles or their inheritance changed. */
  'content.shared': { oid: number; before: Sharing; after: Sharing };
  /** Children of `parent` have another order; `moves` are the children with a new position. Undefined when all are numbered anew. */
  'content.reordered': { parent: number; moves: readonly PositionChange[] | undefined };
  /** An object got another group of translations; null stands for no group. */
  'content.translated': { oid: number; before: string | null; after: string | null };
  /** Settings of some panels changed: `names` are their names as `<panel>.<name>`, `before` is the site as it was. */
  'settings.changed': { panels: string[]; names: string[]; before: Site };
  /** Addresses that lead elsewhere were added or removed by somebody; `path` is the content that they lead to, the root unless given. */
  'site.aliases': { change: 'added' | 'removed'; redirects: readonly Redirect[]; path?: string };
  'site.changed': SiteChange;
};

/** Events of packages, which add their types here: `declare module 'canopy-server' { interface PackageEvents { 'shop.sold': { oid: number } } }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it has the members that are merged into it.
export interface PackageEvents {}

/**
 * All events with their data. A feature with events of its own adds their type here (`declare module '#core'`), and describes them in `events`: see
 * `EventDescription`.
 */
export interface ContentEvents extends CoreEvents, PackageEvents {}

/**
 * A change outside of content that has no event of its own: the kind of the changed thing (`part`), its id, and the change. It has only names, never
 * values that may be secret.
 */
export type SiteChange = {
  part: string;
  id: string;
  /** A participle such as `created`, `edited`, `removed`. */
  change: string;
  /** Names of the changed parts. */
  names?: readonly string[];
  /** Ids of roles, members or the like that were added and removed. */
  added?: readonly string[];
  removed?: readonly string[];
  /** Lines about values of content that are no longer served. */
  hidden?: readonly string[];
  /** The content that it belongs to; the root unless given. */
  path?: string;
};

/** An address that leads to content, or anywhere else as `targetUrl`. */
type Redirect = { path: string; target: number | null; targetUrl: string | null; manual: boolean; created: Date };

/** A place in the tree: the number of the container, and the name in it. */
export type ContentPlace = { parent: number; name: string };

/** Local roles, and whether those of containers count. */
export type Sharing = { localRoles: Record<string, string[]>; inheritRoles: boolean };

/** Dates of publication before and after a change. */
export type DateChanges = Partial<Record<'effective' | 'expires', { before: Date | null; after: Date | null }>>;

/** A child with its position among the others before and after. */
export type PositionChange = { oid: number; before: number; after: number };

/** The name of an event. */
export type EventName = keyof ContentEvents;
