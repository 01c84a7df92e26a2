import { isRoot } from '../content/locate.ts';
import { activeLock } from '../content/locking.ts';
import { allowsDiscussion, has } from '../content/permissions.ts';
import { joinColumns } from '../content/values.ts';
import type { JsonObject } from '../lib/json-object.ts';
import { Slot } from '../lib/slots.ts';
import { MODIFY } from '../security/permissions.ts';
import { siteScales } from '../site/panels/content.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import type { Target } from '../types/field-kind.ts';
import { lockInfo } from './lock-info.ts';
import { type RenderContext, urlOf } from './render-context.ts';
import { allMetadata, chosenMetadata } from './summary.ts';
import { termTitle } from './vocabulary-titles.ts';

type Targets = ReadonlyMap<string, Target>;

/** Keys that a feature adds to the representation of every object, such as `working_copy`. It reads nothing. */
export type RepresentationPart = (context: RenderContext, resolved: ResolvedNode) => JsonObject;

/** The parts of a kernel's representations, in the order of its features. */
export const REPRESENTATION_PARTS = new Slot<readonly RepresentationPart[]>('representation parts');

const partsOf = (context: RenderContext, resolved: ResolvedNode): JsonObject =>
  Object.assign({}, ...context.kernel.slots.get(REPRESENTATION_PARTS).map((part) => part(context, resolved)));

/** All fields of the schema that the caller may read, as they are served. */
function fieldValues(context: RenderContext, resolved: ResolvedNode, type: ContentType, targets: Targets): JsonObject {
  const { object } = resolved;
  const url = urlOf(context.base, object.path);
  const stored = joinColumns(object);
  const read = {
    objectUrl: url,
    target: (uid: string) => targets.get(uid),
    termTitle,
    scales: siteScales(context.site),
  };
  const served: JsonObject = {};
  for (const field of type.fields) {
    if (field.writeOnly || field.name === 'id') continue;
    if (field.read_permission !== undefined && !has(context.site, context.caller, resolved, field.read_permission))
      continue;
    const kind = context.kernel.fieldKinds.of(field);
    const value = stored[field.name] ?? kind.missing ?? null;
    served[field.name] = value === null || kind.serialize === undefined ? value : kind.serialize(value, field, read);
  }
  return served;
}

/** Where the object leads a caller who cannot edit it: to its file or its address (plone.restapi, S19). */
function targetUrl(context: RenderContext, resolved: ResolvedNode, values: JsonObject): JsonObject {
  if (values.remoteUrl === undefined && values.file === undefined) return {};
  if (has(context.site, context.caller, resolved, MODIFY)) return {};
  const file = values.file as { download?: unknown } | null | undefined;
  const url = file?.download ?? values.remoteUrl;
  return typeof url === 'string' ? { targetUrl: url } : {};
}

/**
 * One object without its children, components and relatives: what the specification and plone.restapi (§3.1) both give, in
 * one shape. Where a key is a field as well, the field is first and the object's own value wins.
 */
export function renderObject(context: RenderContext, resolved: ResolvedNode, targets: Targets): JsonObject {
  const { site, base } = context;
  const { object } = resolved;
  const type = site.types.get(object.type);
  const values = type ? fieldValues(context, resolved, type, targets) : { ...object.fields };
  const url = urlOf(base, object.path);
  const urlOfUid = (uid: string) => {
    const target = targets.get(uid);
    return target?.visible ? target.url : undefined;
  };
  const columns =
    context.metadataFields.length === 0
      ? {}
      : chosenMetadata(allMetadata(site, base, object, urlOfUid), context.metadataFields);
  return {
    ...columns,
    ...values,
    ...('description' in values ? { description: values.description ?? '' } : {}),
    ...('allow_discussion' in values ? { allow_discussion: allowsDiscussion(site, object) } : {}),
    ...targetUrl(context, resolved, values),
    '@id': url,
    '@type': object.type,
    type_title: type?.title ?? object.type,
    id: object.name,
    UID: object.uid,
    owner: object.owner,
    created: object.created.toISOString(),
    modified: object.modified.toISOString(),
    review_state: object.reviewState,
    layout: object.layout ?? type?.layouts[0] ?? 'view',
    is_folderish: type?.folderish ?? false,
    lock: lockInfo(context, activeLock(object)),
    ...(isRoot(object) ? {} : { version: 'current' }),
    ...partsOf(context, resolved),
  };
}
