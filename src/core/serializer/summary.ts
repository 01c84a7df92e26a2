import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { siteScales } from '../configuration/panels/content.ts';
import type { Site } from '../configuration/site/site.ts';
import { parseReference } from '../content/blocks/resolve-uid.ts';
import { imageScalesEntry } from '../content/fields/image.ts';
import { type MetadataSource, summaryColumns } from '../search/metadata.ts';
import type { TreeNode } from '../types/content-row.ts';
import type { Target } from '../types/field-kind.ts';
import { isStoredFile } from '../types/fields/files.ts';
import type { WholeSummary } from './content-shapes.ts';
import { urlOf } from './render-context.ts';

/** Fields with pictures, in the order in which listings prefer them. */
const PICTURE_FIELDS = ['preview_image', 'image'];
/** The field that names content of the site whose picture stands for an object (plone.volto). */
const PREVIEW_LINK = 'preview_image_link';

/** Finds the content that a summary refers to, by its UID, if the caller may view it. */
export type LinkedContent = (uid: string) => (Pick<Target, 'url'> & Partial<Pick<Target, 'summary'>>) | undefined;

type Pictured = Pick<MetadataSource, 'type' | 'fields'>;

/** Says if all readers of an object may read one of its fields. */
const isOpen = (site: Site, { type }: Pictured, name: string): boolean =>
  site.types.get(type)?.fieldByName.get(name)?.read_permission === undefined;

/** The UID of the content whose picture stands for an object in listings; undefined for none. */
export function previewUid(site: Site, source: Pictured): string | undefined {
  const uid = source.fields[PREVIEW_LINK];
  return typeof uid === 'string' && isOpen(site, source, PREVIEW_LINK) ? uid : undefined;
}

/** The picture of linked content, as in the summary of that content, with `base_path`, the path that the addresses of the picture are relative to. */
function linkedPicture(base: string, linked: ReturnType<LinkedContent>): JsonObject | undefined {
  const { image_field: field, image_scales: scales } = linked?.summary ?? {};
  const entries = isJsonObject(scales) && typeof field === 'string' ? scales[field] : undefined;
  const entry: unknown = Array.isArray(entries) ? entries[0] : undefined;
  // Only one link is followed: linked content with a linked picture brings no picture.
  return linked && isJsonObject(entry) && entry.base_path === undefined
    ? { ...entry, base_path: linked.url.slice(base.length) }
    : undefined;
}

/**
 * `image_field` and `image_scales` of an object: its linked picture, and its own pictures, with addresses relative to the object (plone.restapi §3.5,
 * plone.volto). Pictures in fields with a read permission are left out.
 */
function pictureMetadata(
  site: Site,
  base: string,
  source: Pictured,
  linkedContent: LinkedContent,
): { image_field: string; image_scales: JsonObject | null } {
  const uid = previewUid(site, source);
  const linked = uid === undefined ? undefined : linkedPicture(base, linkedContent(uid));
  const own = PICTURE_FIELDS.flatMap((name) => {
    const stored = source.fields[name];
    return isOpen(site, source, name) && isStoredFile(stored)
      ? [[name, [imageScalesEntry(name, stored, siteScales(site))]] as const]
      : [];
  });
  const pictures = [...(linked ? [[PREVIEW_LINK, [linked]] as const] : []), ...own];
  return {
    image_field: pictures[0]?.[0] ?? '',
    image_scales: pictures.length > 0 ? Object.fromEntries(pictures) : null,
  };
}

/** The summary of a node whose fields are not loaded, such as a parent (plone.restapi, S01). */
export function nodeSummary(site: Site, base: string, node: TreeNode): WholeSummary {
  return {
    '@id': urlOf(base, node.path),
    '@type': node.type,
    title: node.title,
    description: node.description,
    review_state: node.reviewState,
    type_title: site.types.get(node.type)?.title ?? node.type,
    UID: node.uid,
  };
}

/** Address of a Link in listings: an internal link has the address of its target, or no address if the target is hidden or unknown. */
function remoteUrl(stored: unknown, linkedContent: LinkedContent): string | null {
  if (typeof stored !== 'string') return null;
  const reference = parseReference(stored);
  if (!reference) return stored;
  const url = linkedContent(reference.uid)?.url;
  return url === undefined ? null : url + reference.suffix;
}

/** All columns that a listing may show of an object. */
export function allMetadata(
  site: Site,
  base: string,
  source: MetadataSource,
  linkedContent: LinkedContent = () => undefined,
): JsonObject {
  return Object.assign(
    site.catalog.metadata(source, site.types.get(source.type)),
    pictureMetadata(site, base, source, linkedContent),
    {
      getURL: urlOf(base, source.path),
      getPath: source.path,
      getRemoteUrl: remoteUrl(source.fields.remoteUrl, linkedContent),
    },
  );
}

/** The columns of every summary; objects in the list of a container have them beside their fields (plone.volto). */
export const listedColumns = (
  site: Site,
  base: string,
  source: MetadataSource,
  linkedContent: LinkedContent,
): JsonObject =>
  // In Node 20 an object that begins with a spread takes five times as long to make.
  Object.assign(
    summaryColumns(source, site.types.get(source.type)),
    pictureMetadata(site, base, source, linkedContent),
    { getRemoteUrl: remoteUrl(source.fields.remoteUrl, linkedContent) },
  );

/** The names of `listedColumns`: columns that Volto's listings read beyond the keys of a summary. */
const LISTED_COLUMNS = [
  'head_title',
  'nav_title',
  'effective',
  'start',
  'end',
  'getObjSize',
  'image_field',
  'image_scales',
  'mime_type',
  'getRemoteUrl',
];

/** Says if `metadata_fields` may name a column: private names are ignored. */
const isPublic = (name: string): boolean =>
  !name.startsWith('_') && !['getObject', 'getDataOrigin', 'getUserData'].includes(name);

/** The existing columns that `names` lists; `_all` stands for all of them. */
export function chosenMetadata(all: JsonObject, names: readonly string[]): JsonObject {
  if (names.includes('_all')) return all;
  return Object.fromEntries(
    names.filter((name) => isPublic(name) && Object.hasOwn(all, name)).map((name) => [name, all[name]]),
  );
}

/** The summary of an object in listings: the keys of S01, Volto's columns, and the columns that the request names. */
export function summary(
  site: Site,
  base: string,
  source: MetadataSource,
  metadataFields: readonly string[],
  linkedContent: LinkedContent = () => undefined,
): WholeSummary {
  // Most listings need only the columns that Volto reads, so the other thirty columns are not made for them.
  const columns =
    metadataFields.length === 0
      ? listedColumns(site, base, source, linkedContent)
      : chosenMetadata(allMetadata(site, base, source, linkedContent), [...LISTED_COLUMNS, ...metadataFields]);
  return Object.assign(columns, {
    '@id': urlOf(base, source.path),
    '@type': source.type,
    title: source.title,
    description: source.description,
    review_state: source.reviewState,
    type_title: site.types.get(source.type)?.title ?? source.type,
  });
}
