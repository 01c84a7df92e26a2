import { unparsedMember } from '../../lib/unparsed-json.ts';
import type { ContentObject } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import type { StoredFile } from '../types/field-kind.ts';
import { isStoredFile } from '../types/fields/files.ts';
import { isOpen } from '../types/index-kinds.ts';

/** The source of the catalog's columns: an object, or the columns that lists load. */
export type MetadataSource = Pick<
  ContentObject,
  | ('uid' | 'name' | 'path' | 'type' | 'reviewState' | 'owner' | 'title' | 'description' | 'language')
  | ('created' | 'modified' | 'effective' | 'expires' | 'fields')
>;

/** The first file among stored values. */
function fileIn(fields: Record<string, unknown>): StoredFile | undefined {
  // Blocks are no file, and need not be parsed for it.
  for (const name in fields) {
    const value = unparsedMember(fields, name) === undefined ? fields[name] : undefined;
    if (isStoredFile(value)) return value;
  }
  return undefined;
}

/** Size of a file as text for listings, `0 KB` for none. */
function sizeText(file: StoredFile | undefined): string {
  const bytes = file?.size ?? 0;
  if (bytes >= 1024 * 1024) return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return bytes === 0 ? '0 KB' : `${Math.max(1, Math.round(bytes / 1024))} KB`;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const orNull = (value: unknown): unknown => value ?? null;

/** The fields of an object without fields that only some of its viewers may read. */
function openFields({ fields }: MetadataSource, type: ContentType | undefined): Record<string, unknown> {
  const closed = type?.fields.filter((field) => !isOpen(field) && fields[field.name] !== undefined) ?? [];
  if (closed.length === 0) return fields;
  const names = new Set(closed.map(({ name }) => name));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

type Fields = Record<string, unknown>;

function columnsOfEverySummary({ effective }: MetadataSource, fields: Fields): Record<string, unknown> {
  const file = fileIn(fields);
  return {
    head_title: orNull(fields.head_title),
    nav_title: orNull(fields.nav_title),
    effective: iso(effective),
    start: orNull(fields.start),
    end: orNull(fields.end),
    getObjSize: sizeText(file),
    mime_type: file?.['content-type'] ?? 'text/plain',
  };
}

/** The columns that every summary of an object has (plone.volto), except pictures and addresses. */
export const summaryColumns = (source: MetadataSource, type: ContentType | undefined): Record<string, unknown> =>
  columnsOfEverySummary(source, openFields(source, type));

/** The columns of the core: see `CatalogSchema.metadata` for all of them. */
export function coreColumns(source: MetadataSource, type: ContentType | undefined): Record<string, unknown> {
  const { created, modified, effective, expires } = source;
  const fields = openFields(source, type);
  return {
    UID: source.uid,
    id: source.name,
    getId: source.name,
    path: source.path,
    Title: source.title,
    Description: source.description,
    Type: type?.title ?? source.type,
    portal_type: source.type,
    review_state: source.reviewState,
    Creator: source.owner,
    listCreators: list(fields.creators),
    Subject: list(fields.subjects),
    Language: source.language,
    is_folderish: type?.folderish ?? false,
    exclude_from_nav: fields.exclude_from_nav === true,
    created: iso(created),
    modified: iso(modified),
    expires: iso(expires),
    CreationDate: iso(created),
    ModificationDate: iso(modified),
    EffectiveDate: iso(effective) ?? 'None',
    ExpirationDate: iso(expires) ?? 'None',
    Date: iso(effective ?? created),
    recurrence: orNull(fields.recurrence),
    location: orNull(fields.location),
    getIcon: fields.image !== undefined && fields.image !== null,
    sync_uid: orNull(fields.sync_uid),
    hasPreviewImage: isStoredFile(fields.preview_image),
    // Plone numbers content by it; Canopy has only UIDs.
    cmf_uid: null,
    // The spread stands at the end, because an object that begins with a spread is slower to make.
    ...columnsOfEverySummary(source, fields),
  };
}

/** Columns that listings show of an object beside the columns that are made here. */
const SHOWN = ['title', 'description', 'type_title', 'image_field', 'image_scales', 'position_in_parent'];
const ADDRESSES = ['getURL', 'getPath', 'getRemoteUrl'];

const NOTHING: MetadataSource = {
  ...{
    uid: '',
    name: '',
    path: '',
    type: '',
    reviewState: null,
    owner: '',
    title: '',
    description: '',
    language: null,
  },
  ...{ created: new Date(0), modified: new Date(0), effective: null, expires: null, fields: {} },
};

/** The names of columns that all listings have, which no type can declare. */
export const CORE_COLUMNS: ReadonlySet<string> = new Set([
  ...Object.keys(coreColumns(NOTHING, undefined)),
  ...SHOWN,
  ...ADDRESSES,
]);
