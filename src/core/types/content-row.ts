/** A lock on content, as stored. `created` is ISO 8601; `timeout` in seconds. */
export type Lock = {
  token: string;
  creator: string;
  creator_name: string;
  created: string;
  timeout: number;
  stealable: boolean;
  name: string;
  /**
   * Of a lock that its holder has taken in several forms: by token, the mark of the state that the form has saved or begun from. The state of
   * a form that is not in it stands in its token.
   */
  forms?: Record<string, string>;
};

/** Columns that are loaded for every object on the path from the root: enough to decide permissions and to name the object. */
export type TreeNode = {
  /** The object's number in the database. */
  oid: number;
  /** Its UID, which never changes, also when its path does. */
  uid: string;
  parent: number | null;
  /** The id within the parent; `root` for the site root. */
  name: string;
  /** `/` for the root, else `/a/b`. */
  path: string;
  type: string;
  reviewState: string | null;
  owner: string;
  language: string | null;
  title: string;
  description: string;
  /** Title in navigation and breadcrumbs; null for the title of the object. */
  navTitle: string | null;
  effective: Date | null;
  expires: Date | null;
  /** True if the object was loaded between these dates, by the clock of the database. */
  inTime: boolean;
  localRoles: Record<string, string[]>;
  inheritRoles: boolean;
  localPermissions: Record<string, { roles: string[]; acquire: boolean }> | null;
  /** True if a container links its children with their neighbours (nextPreviousEnabled). */
  linksNeighbours: boolean;
};

/** Types that a container takes, if it is constrained. */
type Constrains = { locally_allowed: string[]; immediately_addable: string[] };

/** The other side of a check-out, with the lock of the check-out on the baseline. */
type CheckedOut = { path: string; title: string; lock: Lock };

/** A whole object. */
export type ContentObject = TreeNode & {
  position: number;
  layout: string | null;
  created: Date;
  modified: Date;
  constrains: Constrains | null;
  lock: Lock | null;
  /** The working copy that was checked out of the object. */
  workingCopy: CheckedOut | null;
  /** The baseline that the object is a working copy of. */
  workingCopyOf: CheckedOut | null;
  defaultPage: string | null;
  translationGroup: string | null;
  hasChildren: boolean;
  /** Stored values of the schema's fields, without fields that have a column of their own. */
  fields: Record<string, unknown>;
};

/** An object with its containers: `ancestors` begins with the container and ends with the root. */
export type ResolvedNode = { object: ContentObject; ancestors: TreeNode[] };

/** An object with its containers, with the data for decisions on permissions. */
export type PlacedNode = { object: TreeNode; ancestors: readonly TreeNode[] };

/** Columns of a new object. Dates and names as in `ContentObject`. */
export type NewContent = Omit<
  ContentObject,
  | ('oid' | 'title' | 'description' | 'navTitle' | 'inTime' | 'linksNeighbours' | 'position' | 'lock' | 'constrains')
  | ('workingCopy' | 'workingCopyOf' | 'hasChildren')
> & {
  constrains: object | null;
  /** Order in the container; behind all other children unless given. */
  position?: number;
};

/** Columns that a change may set; absent columns stay. */
export type ContentChange = Partial<
  Omit<NewContent, 'parent' | 'name' | 'path' | 'type' | 'localPermissions' | 'position'> & {
    localPermissions: object | null;
    lock: object | null;
  }
>;
