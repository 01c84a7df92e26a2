/**
 * Types, behaviors and fields as data. A property is written in the JSON-schema dialect that `@types` returns, so that the stored form is the served
 * form.
 */

/** The description of an index for the editor of queries. Absent members have the defaults of the field and of the kind. */
export type IndexDisplay = {
  title?: string;
  description?: string;
  group?: string;
  enabled?: boolean;
  sortable?: boolean;
};

/** An index that a field declares; `kind` is one of `INDEX_KINDS` or another name of it. */
type IndexDeclaration = IndexDisplay & { kind: string };

/**
 * An index of all types that have a field `attr`, as the `catalog.json` of a profile declares it (Nick). `type` is its
 * kind; `attr` is its own name unless given.
 */
export type SiteIndex = IndexDisplay & { name: string; type: string; attr?: string };

/** A column of all types that have a field `attr`; `attr` is its own name unless given. */
export type SiteColumn = { name: string; attr?: string };

/** A field of a schema. `factory` decides the field kind (see `types/fields/`); the rest is its settings. */
export type Property = {
  title: string;
  description?: string;
  /** JSON type: string, integer, number, boolean, array, object, dict, datetime is a string with widget datetime. */
  type: string;
  /** Title of the field kind, such as "Text line (String)", "Rich Text", "Relation List". */
  factory: string;
  widget?: string;
  widgetOptions?: Record<string, unknown>;
  default?: unknown;
  /** `hidden` and `display` fields are not written by clients. */
  mode?: 'hidden' | 'display' | 'input';
  readonly?: boolean;
  /** True for a field that clients write and that is never served (changeNote). */
  writeOnly?: boolean;
  vocabulary?: { '@id': string };
  choices?: [token: string, title: string][];
  /** The fields inside of a group of fields. */
  schema?: GroupSchema;
  items?: { type?: string; vocabulary?: { '@id': string }; choices?: [string, string][] };
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  /** A regular expression that must match a part of a text (JSON Schema), see `patternProblem`. */
  pattern?: string;
  /** True if no two objects of the type may have the same value. */
  unique?: boolean;
  uniqueItems?: boolean;
  additionalItems?: boolean;
  multilingual_options?: { language_independent: boolean };
  /** Media types that formatted text may have, and the default media type, both from the settings of the site. */
  allowed_mime_types?: string[];
  default_mime_type?: string;
  /** Permissions for reading and writing the field, beyond the permissions on the object. */
  read_permission?: string;
  write_permission?: string;
  /** The index that finds content by this field: its kind, or the kind with the description for the editor of queries. */
  index?: string | IndexDeclaration;
  /** True if listings can show the value (`metadata_fields`). */
  column?: boolean;
  /** Id of the behavior or type that has the field; filled in when schemas are merged. */
  behavior?: string;
};

/** Fields of a form that stand together under a title. */
export type Fieldset = { id: string; title: string; description?: string; fields: string[]; behavior?: string };

/** Fields in fieldsets, as forms show them. */
export type Schema = { fieldsets: Fieldset[]; properties: Record<string, Property>; required: string[] };

/** The fields inside of a field, as forms show them. */
export type GroupSchema = Schema & { title?: string };

/** A reusable part of types: fields, or a marker that switches on a capability of the server. */
export type Behavior = Partial<Schema> & {
  id: string;
  title: string;
  description?: string;
  /** Plone's and other names of this behavior (`plone.dublincore`, …). */
  aliases?: string[];
};

/** A content type, as stored: a profile's `types/<id>.json`, or made over the API or by an import. */
export type TypeDefinition = Partial<Schema> & {
  id: string;
  title: string;
  description?: string;
  icon?: string;
  /** Names of the same type in other systems (Plone's `Document` for `Page`); imports map them to this type. */
  aliases?: string[];
  /** Ids of behaviors, in order. `folderish` makes the type a container. */
  behaviors: string[];
  /** True if it may be added to any container without constraints. */
  global_allow: boolean;
  /** True if only `allowed_content_types` may be added inside. */
  filter_content_types: boolean;
  allowed_content_types: string[];
  /** Id of the workflow; null for none; permissions are then acquired from the container. */
  workflow: string | null;
  /** View names the user may choose from; the first is the default. */
  layouts: string[];
  /** Permission for adding, on the container; `Add portal content` unless given. */
  add_permission?: string;
  /** Ids of upgrade or import that made it; absent for a profile's own. */
  generated_by?: string;
};
