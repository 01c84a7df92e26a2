/**
 * Types, behaviors and fields as data. A property is written in the JSON-schema dialect that
 * `@types` answers, so that what is stored is what is served.
 */

/** A field of a schema. `factory` decides the field kind (see `types/fields/`); the rest is its settings. */
export type Property = {
  title: string;
  description?: string;
  /** JSON type: string, integer, number, boolean, array, object, dict, datetime is a string with widget datetime. */
  type: string;
  /** Title of the field kind, e.g. "Text line (String)", "Rich Text", "Relation List". */
  factory: string;
  widget?: string;
  widgetOptions?: Record<string, unknown>;
  default?: unknown;
  /** `hidden` and `display` fields are not written by clients. */
  mode?: 'hidden' | 'display' | 'input';
  readonly?: boolean;
  /** Written by clients, never served (changeNote). */
  writeOnly?: boolean;
  vocabulary?: { '@id': string };
  choices?: [token: string, title: string][];
  items?: { type?: string; vocabulary?: { '@id': string }; choices?: [string, string][] };
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  additionalItems?: boolean;
  multilingual_options?: { language_independent: boolean };
  /** Permissions that reading and writing the field need beyond those of the object. */
  read_permission?: string;
  write_permission?: string;
  /** Id of the behavior or type that brings the field; filled in when schemas are merged. */
  behavior?: string;
};

export type Fieldset = { id: string; title: string; description?: string; fields: string[]; behavior?: string };

export type Schema = { fieldsets: Fieldset[]; properties: Record<string, Property>; required: string[] };

/** A reusable part of types: fields, or a marker that switches on what the server does. */
export type Behavior = Partial<Schema> & {
  id: string;
  title: string;
  description?: string;
  /** Plone's and other names by which clients know this behavior (`plone.dublincore`, …). */
  aliases?: string[];
};

/** A content type, as stored: a profile's `types/<id>.json`, or made over the API or by an import. */
export type TypeDefinition = Partial<Schema> & {
  id: string;
  title: string;
  description?: string;
  icon?: string;
  /** Names of the same type elsewhere (Plone's `Document` for `Page`): imports map them to this type. */
  aliases?: string[];
  /** Ids of behaviors, in order. `folderish` makes the type a container. */
  behaviors: string[];
  /** May be added anywhere that does not say otherwise. */
  global_allow: boolean;
  /** Only `allowed_content_types` may be added inside. */
  filter_content_types: boolean;
  allowed_content_types: string[];
  /** Id of the workflow; null for none: permissions are acquired from the container. */
  workflow: string | null;
  /** View names the user may choose from; the first is the default. */
  layouts: string[];
  /** Permission that adding needs in the container; `Add portal content` unless given. */
  add_permission?: string;
  /** Ids of upgrade or import that made it; absent for a profile's own. */
  generated_by?: string;
};
