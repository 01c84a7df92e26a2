/** The address of an object or a service, absolute. */
export type Address = string;

/** A scale of a picture, or the picture itself. */
export type Scale = { download: string; width: number; height: number };

/** A picture of a field. */
export type Picture = Scale & {
  filename?: string | null;
  'content-type'?: string;
  size?: number;
  scales?: { [name: string]: Scale };
};

/** A file of a field. */
export type StoredFile = { filename?: string | null; 'content-type': string; size: number; download: string };

/** Summary of another object. */
export type Summary = {
  '@id': Address;
  '@type': string;
  title: string;
  description?: string;
  review_state?: string | null;
  image_field?: string | null;
  image_scales?: { [field: string]: Picture[] } | null;
  [column: string]: unknown;
};

/** A part of a page. */
export type Block = { '@type'?: string; [member: string]: unknown };

/** The members that content of every type has. */
export type AnyContent = {
  '@id': Address;
  '@type': string;
  UID: string;
  id: string;
  title: string;
  description?: string;
  created: string;
  modified: string;
  review_state: string | null;
  is_folderish: boolean;
  parent?: { '@id'?: Address; '@type'?: string; title?: string; [column: string]: unknown };
  items?: Summary[];
  items_total?: number;
  blocks?: { [id: string]: Block };
  blocks_layout?: { items: string[] };
  '@components': { [name: string]: unknown };
  [field: string]: unknown;
};

/** An entry of a menu. */
export type NavigationItem = { '@id': Address; title: string; items?: NavigationItem[]; [column: string]: unknown };

/** The expansions of a site without declared types. */
export type AnyExpansions = {
  breadcrumbs: { '@id': Address; items: { '@id': Address; title: string }[]; root: string };
  navigation: { '@id': Address; items: NavigationItem[] };
  actions: { [category: string]: unknown };
  [name: string]: unknown;
};

/** The types of a site. */
export type SiteTypes = {
  /** Content in responses to GET, by `@type`. */
  content: object;
  /** Content in bodies of POST, by `@type`. */
  create: object;
  /** Changes of content in bodies of PATCH, by `@type`. */
  change: object;
  /** Members of `@components`, by name. */
  expansions: object;
  /** Values of constraints of searches, by the name of the index. */
  indexes: object;
  /** Blocks of the site, by their `@type`. */
  blocks?: object;
};

/** A site without declared types. */
export type AnySite = {
  content: { [type: string]: AnyContent };
  create: { [type: string]: { '@type': string; [field: string]: unknown } };
  change: { [type: string]: { [field: string]: unknown } };
  expansions: AnyExpansions;
  indexes: { [index: string]: string | number | boolean | Date };
};

/** The names of the content types. */
export type TypeName<S extends SiteTypes> = keyof S['content'] & string;

/** Content of one type, or of any. */
export type ContentOf<S extends SiteTypes, T extends TypeName<S> = TypeName<S>> = S['content'][T];

export type ExpansionName<S extends SiteTypes> = keyof S['expansions'] & string;

/** Content with its expanded components, typed. */
export type Expanded<S extends SiteTypes, C, E extends ExpansionName<S>> = [E] extends [never]
  ? C
  : // Each type of a union for itself, so that `@type` still tells them apart.
    C extends unknown
    ? C & { '@components': { [Name in E]: S['expansions'][Name] } }
    : never;

/** The blocks of a site by their `@type`. */
type BlocksOf<S extends SiteTypes> = S extends { blocks: infer Blocks extends object }
  ? Blocks
  : { [type: string]: Block };

export type BlockName<S extends SiteTypes> = keyof BlocksOf<S> & string;

/** A block of one type. */
export type BlockOf<S extends SiteTypes, T extends BlockName<S>> = BlocksOf<S>[T];

/** A change of content of one type, or of any. */
export type ChangeOf<S extends SiteTypes, T extends TypeName<S>> = T extends keyof S['change'] ? S['change'][T] : never;

type Plain = string | number | boolean | Date;

/** A constraint of a search: a value, one of several, or a condition. */
type Constraint<Value> =
  | Value
  | readonly Value[]
  | { query: Value | readonly Value[]; operator?: 'and' | 'or'; depth?: number }
  | { not: Value | readonly Value[] }
  | { min?: Value; max?: Value };

type Named<S extends SiteTypes> = keyof S['indexes'] & string;

/** The constraints and the order of a search, by the names of the indexes of the site. */
export type Search<S extends SiteTypes> = {
  [Index in Named<S>]?: Constraint<S['indexes'][Index] & Plain> | undefined;
};

/** The order of results, and their members. */
export type SearchOptions<S extends SiteTypes> = {
  sort?: Named<S> | readonly Named<S>[] | undefined;
  order?: 'ascending' | 'descending' | readonly ('ascending' | 'descending')[] | undefined;
  /** Columns beside the usual ones; `_all` for all. */
  columns?: string | readonly string[] | undefined;
  /** Indexes whose values are counted. */
  facets?: Named<S> | readonly Named<S>[] | undefined;
  /** Maximum number of values of each facet. */
  facetLimit?: number | undefined;
  /** True to get parts of texts with the found words. */
  highlight?: boolean | undefined;
  spellcheck?: boolean | undefined;
  /** Maximum number of results of one request. */
  size?: number | undefined;
  /** The index of the first result. */
  start?: number | undefined;
};
