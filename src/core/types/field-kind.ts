import type { FieldProblem } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { MergeBudget } from '../../lib/merge/diff3.ts';
import type { Merged, Preferred, Sides } from '../../lib/merge/merge-text.ts';
import type { Slots } from '../../lib/slots.ts';
import type { PatternBudget } from '../../lib/text/safe-pattern.ts';
import type { SanitizeHtml } from '../../lib/text/sanitize-html.ts';
import type { UnparsedJson } from '../../lib/unparsed-json.ts';
import type { ScaleTable } from '../files/images/image-scales.ts';
import type { PictureMarks } from '../files/images/picture-marks.ts';
import type { BlockContent } from './block.ts';
import type { Field } from './content-type.ts';
import type { Property } from './definition.ts';
import type { IndexKind } from './index-kinds.ts';
import type { ValueShape } from './value-shapes.ts';

/** Target of a reference in content, with the data that the caller may view. All references of a response are looked up at once. */
export type Target = {
  uid: string;
  /** Absolute URL. */
  url: string;
  /** True if the caller may view the target. Only the `uid` of a hidden target may be shown. */
  visible: boolean;
  /** The summary of listings, with `image_field` and `image_scales`. */
  summary: Record<string, unknown>;
  /** The address to which a link to it should lead this caller instead (a file's download, a link's target). */
  primaryUrl?: string;
};

/** A file that has been stored before the transaction of the write. Its bytes are in the blob store. */
export type StoredFile = PictureMarks & {
  hash: string;
  size: number;
  filename: string;
  'content-type': string;
  width?: number;
  height?: number;
};

/**
 * A file of a request whose bytes are in the blob store already. It is a class so that no JSON of a client can be one: a client that could name a
 * blob by its hash could read any file.
 */
export class PreparedFile {
  readonly file: StoredFile;
  /** Metadata that the client sent with the bytes of the file, unchanged. */
  readonly sent: JsonObject;

  constructor(file: StoredFile, sent: JsonObject = {}) {
    this.file = file;
    this.sent = sent;
  }
}

/**
 * The bytes of a file in a request, which were put into the blob store as they came. It replaces their text in the JSON of the client. It is a class
 * for the same reason as `PreparedFile`.
 */
export class ReceivedBytes {
  readonly hash: string;
  readonly size: number;
  /** True if the bytes came as a text in base64, which was decoded before the client's declaration of the encoding was read. */
  readonly wasBase64: boolean;

  constructor({ hash, size }: { hash: string; size: number }, { wasBase64 = false } = {}) {
    this.hash = hash;
    this.size = size;
    this.wasBase64 = wasBase64;
  }
}

/** Context of values that are served. */
export type ReadContext = {
  /** Absolute URL of the object that has the field. */
  objectUrl: string;
  target(uid: string): Target | undefined;
  /** Title of a token of the named vocabulary, or undefined when the vocabulary does not have it. */
  termTitle(vocabulary: string, token: string): string | undefined;
  /** The scales of pictures on this site. */
  scales: ScaleTable;
  /** True if the reader may change the object with the value. Other readers do not see parts that only editors need. */
  mayEdit: boolean;
  /** Values that features store in the kernel, see `Slot`. */
  slots: Slots;
};

/** Context of values that are stored. Links have been collected and resolved beforehand. */
export type WriteContext = {
  /** The stored form (`../resolveuid/<UID>` and suffix) of an internal link, or the link itself. */
  resolveLink(link: string): string;
  /** UID behind a UID, a URL, a path or a stored link; undefined when there is no such object. */
  resolveUid(reference: string): string | undefined;
  /** The value that the object has now, in its stored form; undefined at creation. */
  current: unknown;
  /** The scales of the site, for values that belong to a site. */
  scales?: ScaleTable;
  /** The time zone of times without an offset; UTC unless given. */
  timeZone?: string;
  /** Budget for comparisons with patterns, shared by all values of one write; each value has its own unless given. */
  patterns?: PatternBudget;
  /** Cleans HTML, but not again if it was cleaned before the transaction. `sanitizeHtml` unless given. */
  sanitize?: SanitizeHtml;
};

/** The context of values that do not belong to content, such as defaults and settings: they have no references. */
export const NO_REFERENCES: WriteContext = {
  resolveLink: (link) => link,
  resolveUid: () => undefined,
  current: undefined,
};

/** The error for a value that does not fit its field. Errors of all fields are collected into one ValidationFailed. */
export class FieldError extends Error {}

/** The error for values inside of a value that do not fit their fields. Each problem has its place, such as `1.phone`. */
export class NestedFieldError extends FieldError {
  readonly problems: readonly FieldProblem[];

  constructor(problems: readonly FieldProblem[]) {
    super(problems.map(({ field = '', message }) => `${field}: ${message}`).join(' '));
    this.problems = problems;
  }

  /** The problems, with a name put before each place. */
  under(name: string): FieldProblem[] {
    return this.problems.map(({ field = '', message }) => ({ field: `${name}.${field}`, message }));
  }
}

/** Says if a value counts as empty for a required field. */
export const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * A name under which schemas use a kind (`factory`). A kind may have several factories that differ in the settings of a new field, such as `List` and
 * `Set`.
 */
export type Factory = {
  /** The value of `factory` that is stored and served. */
  name: string;
  /** Other values of `factory` that mean the same. */
  aliases?: readonly string[];
  /** Tokens under which the vocabulary `Fields` offers it to schema editors; they are names of it as well. */
  tokens?: readonly string[];
  /** Its title in that vocabulary; the name unless given. */
  label?: string;
  /** Settings of a new field in the schema editor. */
  property: Pick<Property, 'type'> & Partial<Property>;
  /** True if users may have fields of it (`@userschema`): its values need no other data. */
  forUsers?: boolean;
};

/** Settings of a field that bound its values: `length` of texts, number of `items`, values of `integer` and `number`. */
type Limits = 'length' | 'items' | 'integer' | 'number';

/** A value of an export of another site: JSON with bare tokens for terms, or a file that lies beside it. */
export type Sample = { value: unknown } | { file: { contentType: string; width?: number; height?: number } };

/** Functions that replace texts in the parts of a stored value. Each returns its argument when nothing matches. */
export type TextRewriter = {
  /** Plain text for readers. */
  text(plain: string): string;
  /** HTML: only the text between its tags. */
  html(html: string): string;
  /** An address, if addresses must be changed as well. */
  address(url: string): string;
};

/** A merge of one field: the side that counts at conflicts, and the remaining budget. */
export type FieldMerging = { prefer: Preferred; budget: MergeBudget; field: Field };

/**
 * The implementation of one kind of field; no other code depends on the names of kinds. A property names its kind by `factory` or `widget`. Stored
 * values are JSON.
 */
export type FieldKind = {
  /** The first factory names the kind in messages, and imports give it to new fields. */
  factories: readonly [Factory, ...Factory[]];
  /** Values of `widget` that mean this kind with any factory. */
  widgets?: readonly string[];
  /** The wider kind of which this kind is a narrower form; values of both kinds may be used for each other. */
  narrows?: FieldKind;
  /** Names of fields that code of the server reads as this kind, on any type; fields of other kinds must not have these names. */
  fieldNames?: readonly string[];

  // Checking, storing and serving
  /** Value that an unset field is served as and that `null` writes. */
  missing?: unknown;
  /** Values are files: their bytes go to the blob store before the transaction, see `PreparedFile`. */
  holds?: 'file' | 'image';
  /** Values are tokens: of `choices`, or of a vocabulary. */
  chooses?: 'one' | 'many';
  /** Values are UIDs of content, and relations under the name of the field (`@relations`). */
  relates?: 'one' | 'many';
  /** Values have the fields of `schema` inside: one group of fields, or a list of groups. */
  groups?: 'one' | 'many';
  /** References and links in a value that a client sent, to be resolved before `deserialize`. */
  links?(value: unknown, field: Field, sanitize: SanitizeHtml): Iterable<string>;
  /** HTML in a value that a client sent, which `links` and `deserialize` clean; it allows cleaning before the transaction. */
  html?(value: unknown, field: Field): Iterable<string>;
  /** The stored form of a value that a client sent (never null). Throws FieldError. */
  deserialize(value: unknown, field: Field, context: WriteContext): unknown;
  /** UIDs that serving a stored value may need. Too many do no harm: all targets of a response are loaded at once. */
  uids?(stored: unknown, field: Field): Iterable<string>;
  /** UIDs that a stored value refers to, for relations and link integrity; those of `uids` unless given. */
  references?(stored: unknown, field: Field): Iterable<string>;
  /** The served form of a stored value; the stored value itself unless given. */
  serialize?(stored: unknown, field: Field, context: ReadContext): unknown;
  /**
   * Says if a value that is not parsed yet has no `uids`, and if all readers get it as it is stored. Other values are parsed and go through
   * `serialize`.
   */
  isServedAsStored?(stored: UnparsedJson, field: Field): boolean;
  /** The form in an export (`@export`) of a served value; the served value itself unless given. */
  exported?(served: unknown, field: Field): unknown;
  /** The part of an exported value in a Markdown document, for content without blocks (`markdown_view`); kinds without it are left out. */
  markdown?(exported: unknown, field: Field): BlockContent[];

  /**
   * Merges stored values that both sides changed differently (`?base=`); undefined for values that it cannot merge. Without this function, two
   * different changes are a conflict.
   */
  merge?(sides: Sides, merging: FieldMerging): Merged<unknown> | undefined;

  // Finding
  /** Kinds of indexes that can hold the values. */
  indexes?: readonly IndexKind[];
  /** True if listings can show the values (`metadata_fields`). */
  column?: boolean;
  /** A stored value in the form for indexes and columns: a text, number, truth value or list of texts; the value itself unless given. */
  indexed?(stored: unknown): unknown;
  /**
   * The words of a stored value, by which a search of all texts (`SearchableText`) and an index of the kind `text`, if possible, find the object.
   * `fields` are all stored fields of the object.
   */
  words?(stored: unknown, field: Field, fields: Readonly<Record<string, unknown>>): string;
  /** A stored value after a replacement of texts (`@replace`); kinds without it have no text for readers. */
  rewrite?(stored: unknown, field: Field, rewriter: TextRewriter): unknown;

  // Schemas and forms
  /** True if values are secrets, which exports do not contain in clear text. */
  secret?: boolean;
  /** Limits that a field may set. */
  limits?: Limits;
  /** True if a field may have a `pattern` that must match a part of its texts. */
  patterns?: boolean;
  /** The JSON of values in responses and in bodies, for the description of the API (`@openapi`). Without it values are any JSON. */
  shape?(field: Field): ValueShape;
  /** Members that JSON schemas of types have for a field beyond its stored settings (`@types`). */
  schema?(property: Property): JsonObject;
  /** A field with the settings of control panels for all fields of the kind; `settings` are the values by panel. */
  configured?(property: Property, settings: ReadonlyMap<string, Record<string, unknown>>): Property;

  // Importing
  /** Says if a value of an export looks like a value of this kind. It finds the kind of fields of unknown types. */
  recognizes?(sample: Sample): boolean;
  /** Of several kinds that recognize all values of a field, the kind with the least breadth is used; 0 unless given. */
  breadth?: number;
  /** Settings of a field that an import makes, over the settings of the first factory. */
  imported?: Partial<Property>;
  /** The nearest fitting form of a value that does not fit; undefined for none. Old sites have such values. */
  mend?(value: unknown): unknown;
};
