import type { ScaleTable } from '../images/image-scales.ts';
import type { Field } from './content-type.ts';

/** What content points to, as far as the caller may know it. Found for all references of an answer at once. */
export type Target = {
  uid: string;
  /** Absolute URL. */
  url: string;
  /** Whether the caller may view it. Nothing but `uid` may be told of what is not visible. */
  visible: boolean;
  /** The summary of listings, with `image_field` and `image_scales`. */
  summary: Record<string, unknown>;
  /** Where a link to it should lead this caller instead (a file's download, a link's target). */
  primaryUrl?: string;
};

/** A file that has been stored before the transaction of the write. Its bytes are in the blob store. */
export type StoredFile = {
  hash: string;
  size: number;
  filename: string;
  'content-type': string;
  width?: number;
  height?: number;
};

/** What the reading side of a field may use. */
export type ReadContext = {
  /** Absolute URL of the object that has the field. */
  objectUrl: string;
  target(uid: string): Target | undefined;
  /** Title of a token of the named vocabulary, or undefined when the vocabulary does not know it. */
  termTitle(vocabulary: string, token: string): string | undefined;
  /** The scales of pictures on this site. */
  scales: ScaleTable;
};

/** What the writing side of a field may use. Links have been collected and resolved beforehand. */
export type WriteContext = {
  /** The stored form (`../resolveuid/<UID>` and suffix) of an internal link, or the link itself. */
  resolveLink(link: string): string;
  /** UID behind a UID, a URL, a path or a stored link; undefined when there is no such object. */
  resolveUid(reference: string): string | undefined;
  /** The value that the object has now, in its stored form; undefined at creation. */
  current: unknown;
};

/** A value does not fit its field. Collected over all fields into one ValidationFailed. */
export class FieldError extends Error {}

/**
 * How the values of one kind of field are read, checked and served. A property names its kind by
 * `factory`. Stored values are JSON.
 */
export type FieldKind = {
  /** Values of `factory` that mean this kind; the first one is its name. */
  factories: string[];
  /** Values of `widget` that mean this kind whatever the factory is. */
  widgets?: string[];
  /** Values are files: their bytes go to the blob store before the transaction, see `PreparedFile`. */
  holds?: 'file' | 'image';
  /** What an unset field is served as and `null` writes. */
  missing?: unknown;
  /** References and links in a value that a client sent, to be resolved before `deserialize`. */
  links?(value: unknown): Iterable<string>;
  /** The stored form of a value that a client sent (never null). Throws FieldError. */
  deserialize(value: unknown, field: Field, context: WriteContext): unknown;
  /** UIDs that a stored value refers to. */
  uids?(stored: unknown): Iterable<string>;
  /** The served form of a stored value. */
  serialize?(stored: unknown, field: Field, context: ReadContext): unknown;
};
