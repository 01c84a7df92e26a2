import type { Static } from 'typebox';
import type { JsonObject } from '../../lib/json-object.ts';
import { Slot } from '../../lib/slots.ts';
import { siteScales } from '../configuration/panels/content.ts';
import { viewersOf } from '../configuration/panels/publishing.ts';
import { speaksPlone } from '../configuration/site/plone-names.ts';
import { isRoot } from '../content/locate.ts';
import { activeLock, isLocking } from '../content/locking.ts';
import { openedToken, presentToken } from '../content/opened-token.ts';
import { allowsDiscussion, has } from '../content/permissions.ts';
import { visibleNeighbours } from '../content/statements/navigation.ts';
import { joinColumns } from '../content/values.ts';
import { isLanguageToken, nativeLanguageTitle } from '../i18n/languages.ts';
import { callerAt } from '../security/caller.ts';
import { MODIFY } from '../security/permissions.ts';
import type { ContentObject, Lock, ResolvedNode } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import type { Target } from '../types/field-kind.ts';
import { renderComponents } from './components.ts';
import type { AnyContent, ContentMembers, LockInfo } from './content-shapes.ts';
import { mayView, type RenderContext, urlOf } from './render-context.ts';
import { allMetadata, chosenMetadata, nodeSummary } from './summary.ts';
import { visibleTargets } from './targets.ts';

/**
 * The state of a lock, or of an object without one, in representations and responses of `@lock` (plone.restapi §3.1). `token` is that of the
 * caller, who holds it or wants it; that of the lock for its holder unless given.
 */
export function lockInfo(
  { base, caller }: Pick<RenderContext, 'base' | 'caller'>,
  lock: Lock | undefined,
  token = lock?.creator === caller.id ? lock?.token : undefined,
): Static<typeof LockInfo> {
  // The token permits changes to the locked object, so only its holder gets it.
  const named = token === undefined ? {} : { token };
  if (!lock) return { locked: false, stealable: true, ...named };
  return {
    locked: true,
    stealable: lock.stealable,
    creator: lock.creator,
    creator_name: lock.creator_name,
    creator_url: `${base}/author/${encodeURIComponent(lock.creator)}`,
    created: lock.created,
    time: Date.parse(lock.created) / 1000,
    timeout: lock.timeout,
    ...named,
    name: lock.name,
  };
}

/**
 * The lock of an object. If the caller cannot lock the object, because another user holds the lock or the site has no locks, the token names the
 * state that the caller sees. Forms send this token when they save.
 */
export function lockOf({ base, caller, site }: Pick<RenderContext, 'base' | 'caller' | 'site'>, object: ContentObject) {
  const lock = activeLock(object);
  if (!lock) return lockInfo({ base, caller }, lock, isLocking(site) ? undefined : openedToken(object));
  return lockInfo(
    { base, caller },
    lock,
    lock.creator === caller.id ? presentToken(lock, object) : openedToken(object),
  );
}

type Targets = ReadonlyMap<string, Target>;

/** Returns keys that a feature adds to the representation of every object, such as `working_copy`, without an SQL statement. */
export type RepresentationPart = (context: RenderContext, resolved: ResolvedNode) => JsonObject;

/** The parts of a kernel's representations, in the order of its features. */
export const REPRESENTATION_PARTS = new Slot<readonly RepresentationPart[]>('representation parts');

const partsOf = (context: RenderContext, resolved: ResolvedNode): JsonObject =>
  Object.assign({}, ...context.kernel.slots.get(REPRESENTATION_PARTS).map((part) => part(context, resolved)));

/** Title of a token of a language vocabulary; undefined for other vocabularies and unknown languages. */
function termTitle(vocabulary: string, token: string): string | undefined {
  return /Languages?$/.test(vocabulary) && isLanguageToken(token) ? nativeLanguageTitle(token) : undefined;
}

/** The field for the comment of an editor on a change. */
const NOTE = 'changeNote';

/** The values of all fields that the caller may read, in the form of responses. */
function fieldValues(context: RenderContext, resolved: ResolvedNode, type: ContentType, targets: Targets): JsonObject {
  const { object } = resolved;
  const url = urlOf(context.base, object.path);
  const stored = joinColumns(object);
  const read = {
    objectUrl: url,
    target: (uid: string) => targets.get(uid),
    termTitle,
    scales: siteScales(context.site),
    mayEdit: has(context.site, context.caller, resolved, MODIFY),
    slots: context.kernel.slots,
  };
  // In Plone the note on a change is a field like any other, but its value is never stored.
  const served: JsonObject = type.fieldByName.has(NOTE) && speaksPlone(context.site) ? { [NOTE]: '' } : {};
  for (const field of type.fields) {
    if (field.writeOnly || field.name === 'id') continue;
    if (field.read_permission !== undefined && !has(context.site, context.caller, resolved, field.read_permission))
      continue;
    const kind = context.kernel.fieldKinds.of(field);
    const value = stored[field.name] ?? kind.missing ?? null;
    served[field.name] = value === null || kind.serialize === undefined ? value : kind.serialize(value, field, read);
  }
  // Volto reads the token of the language of any content: for content without a language, Plone serves an empty text.
  if (served.language === null && speaksPlone(context.site)) served.language = '';
  return served;
}

/** The address to which a caller who cannot edit the object is sent: its file or its link (plone.restapi, S19). */
function targetUrl(context: RenderContext, resolved: ResolvedNode, values: JsonObject): { targetUrl?: string } {
  if (values.remoteUrl === undefined && values.file === undefined) return {};
  if (has(context.site, context.caller, resolved, MODIFY)) return {};
  const file = values.file as { download?: unknown } | null | undefined;
  const url = file?.download ?? values.remoteUrl;
  return typeof url === 'string' ? { targetUrl: url } : {};
}

/**
 * One object without its children, components and neighbours, with the keys of both the specification and plone.restapi
 * (§3.1). Where a field has the name of a key of the object, the value of the object is used.
 */
export function renderObject(context: RenderContext, resolved: ResolvedNode, targets: Targets): ContentMembers {
  const { site, base } = context;
  const { object } = resolved;
  const type = site.types.get(object.type);
  const values = type ? fieldValues(context, resolved, type, targets) : { ...object.fields };
  const url = urlOf(base, object.path);
  const columns =
    context.metadataFields.length === 0
      ? {}
      : chosenMetadata(allMetadata(site, base, object, visibleTargets(targets)), context.metadataFields);
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
    lock: lockOf(context, object),
    ...(isRoot(object) ? {} : { version: 'current' }),
    ...partsOf(context, resolved),
  };
}

/** The behavior of types whose content always links to its neighbours. */
const LINKS_NEIGHBOURS = 'plone.nextpreviousenabled';

/** The container, and links to the neighbours in the container if the container has them switched on (plone.restapi, S14). */
async function relatives(
  context: RenderContext,
  { object, ancestors }: ResolvedNode,
): Promise<{ parent: JsonObject; previous_item?: JsonObject; next_item?: JsonObject }> {
  const { site, base } = context;
  const [parent] = ancestors;
  if (!parent) return { parent: {} };
  // The name of a container that the caller may not view is part of the address of the object, so it is no secret.
  const known = mayView(context, ancestors)
    ? nodeSummary(site, base, parent)
    : { '@id': urlOf(base, parent.path), title: parent.name };
  const summaries = { parent: known, previous_item: {}, next_item: {} };
  const linked = parent.linksNeighbours || site.types.get(parent.type)?.behaviorNames.has(LINKS_NEIGHBOURS);
  if (!linked || object.parent === null) return summaries;
  const { previous, next } = await visibleNeighbours(context.db, {
    parent: object.parent,
    oid: object.oid,
    position: object.position,
    ...viewersOf(context.site, callerAt(context.caller, parent.path)),
  });
  return {
    ...summaries,
    previous_item: previous ? nodeSummary(site, base, previous) : {},
    next_item: next ? nodeSummary(site, base, next) : {},
  };
}

/** A whole object with its parent, neighbours and components, but without children. */
export async function renderFull(
  context: RenderContext,
  resolved: ResolvedNode,
  targets: Targets,
): Promise<AnyContent> {
  return {
    ...renderObject(context, resolved, targets),
    ...(await relatives(context, resolved)),
    '@components': await renderComponents(context, resolved),
  };
}
