import type { MetadataSource } from '../catalog/metadata.ts';
import { parseReference } from '../content/blocks/resolve-uid.ts';
import { imageScalesEntry } from '../content/fields/image.ts';
import type { JsonObject } from '../lib/json-object.ts';
import { siteScales } from '../site/panels/content.ts';
import type { Site } from '../site/site.ts';
import type { TreeNode } from '../storage/content-row.ts';
import { isStoredFile } from '../types/fields/files.ts';
import { urlOf } from './render-context.ts';

/** The picture fields of an object in the order in which listings prefer them. */
const PICTURE_FIELDS = ['preview_image', 'image'];

/**
 * `image_field` and `image_scales` of an object: its own pictures, with addresses relative to it (plone.restapi §3.5).
 * Those in fields that not everybody may read are none of its summary.
 */
function pictureMetadata(
  site: Site,
  { type, fields }: Pick<MetadataSource, 'type' | 'fields'>,
): {
  image_field: string;
  image_scales: JsonObject | null;
} {
  const pictures = PICTURE_FIELDS.flatMap((name) => {
    const stored = fields[name];
    const isOpen = site.types.get(type)?.fieldByName.get(name)?.read_permission === undefined;
    return isOpen && isStoredFile(stored) ? [[name, [imageScalesEntry(name, stored, siteScales(site))]] as const] : [];
  });
  return {
    image_field: pictures[0]?.[0] ?? '',
    image_scales: pictures.length > 0 ? Object.fromEntries(pictures) : null,
  };
}

/** The summary of a node of which no fields are loaded, such as a parent (plone.restapi, S01). */
export function nodeSummary(site: Site, base: string, node: TreeNode): JsonObject {
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

/** Address of a Link in listings: internal ones by `urlOfUid`, hidden and unknown ones not at all. */
function remoteUrl(stored: unknown, urlOfUid: (uid: string) => string | undefined): string | null {
  if (typeof stored !== 'string') return null;
  const reference = parseReference(stored);
  if (!reference) return stored;
  const url = urlOfUid(reference.uid);
  return url === undefined ? null : url + reference.suffix;
}

/** All columns that a listing may show of an object. */
export function allMetadata(
  site: Site,
  base: string,
  source: MetadataSource,
  urlOfUid: (uid: string) => string | undefined = () => undefined,
): JsonObject {
  const url = urlOf(base, source.path);
  return {
    ...site.catalog.metadata(source, site.types.get(source.type)),
    ...pictureMetadata(site, source),
    getURL: url,
    getPath: source.path,
    getRemoteUrl: remoteUrl(source.fields.remoteUrl, urlOfUid),
  };
}

/** Columns of every summary, beyond its own keys, that Volto's listings read (plone.volto). */
const DEFAULT_COLUMNS = [
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

/** Names that may be asked for by `metadata_fields`: no private ones. */
const isPublic = (name: string): boolean =>
  !name.startsWith('_') && !['getObject', 'getDataOrigin', 'getUserData'].includes(name);

/** The columns among `names` (`_all` for all of them) that there are. */
export function chosenMetadata(all: JsonObject, names: readonly string[]): JsonObject {
  if (names.includes('_all')) return all;
  return Object.fromEntries(
    names.filter((name) => isPublic(name) && Object.hasOwn(all, name)).map((name) => [name, all[name]]),
  );
}

/** The summary of an object in listings: the keys of S01, Volto's columns, and those that the request asks for. */
export function summary(
  site: Site,
  base: string,
  source: MetadataSource,
  metadataFields: readonly string[],
  urlOfUid?: (uid: string) => string | undefined,
): JsonObject {
  const all = allMetadata(site, base, source, urlOfUid);
  return {
    ...chosenMetadata(all, [...DEFAULT_COLUMNS, ...metadataFields]),
    '@id': all.getURL,
    '@type': source.type,
    title: source.title,
    description: source.description,
    review_state: source.reviewState,
    type_title: site.types.get(source.type)?.title ?? source.type,
  };
}
