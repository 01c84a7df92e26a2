import { type ContentType, isStoredFile, type Kernel, nativeLanguageTitle, type Site, type StoredFile } from '#core';
import type { JsonObject } from '#lib/json-object';
import { ROOT_FOLDER } from '../format.ts';
import type { HistoryRow, ParentRow } from '../statements/plone.ts';
import { diskName } from './file-name.ts';

/** A row of content, in the JSON of the database. */
export type ContentJson = {
  oid: number;
  uid: string;
  parent: number | null;
  name: string;
  path: string;
  type: string;
  review_state: string | null;
  language: string | null;
  layout: string | null;
  created: string;
  modified: string;
  effective: string | null;
  expires: string | null;
  owner: string;
  constrains: { locally_allowed: string[]; immediately_addable: string[] } | null;
  fields: JsonObject;
};

/** A file of an object, with its place in the export. */
export type ItemFile = { file: StoredFile; place: string };

/** The parts of the kernel and the site from which the JSON of objects is made. */
export type ItemContext = { kernel: Pick<Kernel, 'fieldKinds' | 'slots'>; site: Site };

/** The path of the site in Plone's database, with which all its paths begin. */
export const ROOT_ADDRESS = '/Plone';

/** Types of Plone that have other names here. */
const PLONE_TYPES = new Set(['Document', 'Plone Site']);

/** The name of a type in Plone, if Plone has the type. */
const ploneType = ({ types }: Site, id: string): string =>
  types.get(id)?.aliases?.find((alias) => PLONE_TYPES.has(alias)) ?? id;

/** The folder of an object below `content`. */
export const itemFolder = ({ uid, path }: Pick<ContentJson, 'uid' | 'path'>): string =>
  path === '/' ? ROOT_FOLDER : uid;

/** Returns the place of a file, below the folder of its object. */
type FilePlace = (field: string, file: StoredFile) => string;

/** The place of a present file of a field. */
const presentPlace: FilePlace = (field, { filename }) => `${diskName(field)}/${diskName(filename)}`;

/** The values of an object's fields. Relations are in a file of their own; passwords are left out. */
function valuesOf(
  { kernel }: ItemContext,
  object: ContentJson,
  type: ContentType | undefined,
  placeOf: FilePlace,
): { values: JsonObject; files: ItemFile[] } {
  const values: JsonObject = {};
  const files: ItemFile[] = [];
  const read = {
    objectUrl: object.path,
    target: () => undefined,
    termTitle: (vocabulary: string, token: string) =>
      /Languages?$/.test(vocabulary) ? nativeLanguageTitle(token) : undefined,
    scales: {},
    mayEdit: true,
    slots: kernel.slots,
  };
  const known = new Map(type?.fields.map((field) => [field.name, field]));
  for (const name of new Set([...known.keys(), ...Object.keys(object.fields)])) {
    const field = known.get(name);
    const kind = field && kernel.fieldKinds.of(field);
    if (name === 'id' || field?.writeOnly || kind?.secret || kind?.relates) continue;
    const value = object.fields[name] ?? kind?.missing ?? null;
    if (isStoredFile(value)) {
      const place = `${itemFolder(object)}/${placeOf(name, value)}`;
      files.push({ file: value, place });
      const { hash: _hash, ...described } = value;
      values[name] = { blob_path: place, ...described };
    } else if (value !== null && field && kind?.chooses && kind.serialize)
      values[name] = kind.serialize(value, field, read);
    else values[name] = value;
  }
  return { values, files };
}

/** Histories by the names of their workflows. */
function historiesByWorkflow(rows: readonly HistoryRow[]): Record<string, JsonObject[]> {
  const histories: Record<string, JsonObject[]> = {};
  for (const { workflow, action, actor, comments, review_state, time } of rows) {
    const history = histories[workflow] ?? [];
    history.push({ action, actor, comments, review_state, time: time.toISOString() });
    histories[workflow] = history;
  }
  return histories;
}

const parentJson = (site: Site, parent: ParentRow | undefined): JsonObject =>
  parent === undefined
    ? {}
    : {
        '@id': parent.path,
        '@type': ploneType(site, parent.type),
        UID: parent.path === '/' ? ROOT_FOLDER : parent.uid,
        title: parent.title,
        description: parent.description,
      };

/** Parts of an object from other tables. */
export type ItemParts = { parent: ParentRow | undefined; history: readonly HistoryRow[] };

/** An object in plone.exportimport's format, with the files beside it. */
export function itemJson(
  context: ItemContext,
  object: ContentJson,
  { parent, history }: ItemParts,
): { json: JsonObject; files: ItemFile[] } {
  const { site } = context;
  const type = site.types.get(object.type);
  const isRoot = object.path === '/';
  const { values, files } = valuesOf(context, object, type, presentPlace);
  const { constrains } = object;
  const json = {
    ...values,
    '@id': isRoot ? ROOT_ADDRESS : object.path,
    '@type': ploneType(site, object.type),
    UID: object.uid,
    id: isRoot ? ROOT_ADDRESS.slice(1) : object.name,
    type_title: type?.title ?? object.type,
    is_folderish: type?.folderish ?? false,
    parent: parentJson(site, parent),
    creators: Array.isArray(values.creators) && values.creators.length > 0 ? values.creators : [object.owner],
    created: object.created,
    modified: object.modified,
    effective: object.effective,
    expires: object.expires,
    language: object.language ?? '',
    layout: object.layout ?? type?.layouts[0] ?? null,
    review_state: object.review_state,
    lock: { locked: false, stealable: true },
    ...(isRoot ? {} : { version: 'current' }),
    workflow_history: historiesByWorkflow(history),
    'exportimport.constrains': constrains
      ? {
          locally_allowed_types: constrains.locally_allowed.map((id) => ploneType(site, id)),
          immediately_addable_types: constrains.immediately_addable.map((id) => ploneType(site, id)),
        }
      : {},
    'exportimport.conversation': [],
  };
  return { json, files };
}

/** A version of an object: its values, its author and its comment. */
export type ItemVersion = {
  number: number;
  at: Date;
  actor: string;
  note: string;
  /** All values of the object at that time, including values of columns. */
  values: JsonObject;
};

/** A version in plone.exportimport's format of objects; its files are beside those of the present object. */
export function versionJson(
  context: ItemContext,
  object: ContentJson,
  { number, at, actor, note, values: stored }: ItemVersion,
): { json: JsonObject; files: ItemFile[] } {
  const { effective, expires, language, layout, ...fields } = stored;
  const placeOf: FilePlace = (field, file) => {
    const present = object.fields[field];
    const isPresent = isStoredFile(present) && present.hash === file.hash && present.filename === file.filename;
    return isPresent
      ? presentPlace(field, file)
      : `${diskName(field)}/versions/${file.hash.slice(0, 16)}/${diskName(file.filename)}`;
  };
  const type = context.site.types.get(object.type);
  const { values, files } = valuesOf(context, { ...object, fields }, type, placeOf);
  const json = {
    ...values,
    ...{ effective: effective ?? null, expires: expires ?? null, language: language ?? '', layout: layout ?? null },
    '@type': ploneType(context.site, object.type),
    modified: at.toISOString(),
    version: number,
    changeNote: note,
    changeActor: actor,
  };
  return { json, files };
}
