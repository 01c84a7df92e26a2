import type { Static } from 'typebox';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { Slot } from '../../lib/slots.ts';
import { viewersOf } from '../configuration/panels/publishing.ts';
import { isRoot } from '../content/locate.ts';
import { activeLock, isLocking } from '../content/locking.ts';
import { openedToken, presentToken } from '../content/opened-token.ts';
import { has } from '../content/permissions.ts';
import { visibleNeighbours } from '../content/statements/navigation.ts';
import { callerAt } from '../security/caller.ts';
import { MODIFY } from '../security/permissions.ts';
import type { ContentObject, Lock, ResolvedNode } from '../types/content-row.ts';
import type { Target } from '../types/field-kind.ts';
import { renderComponents } from './components.ts';
import type { AnyContent, ContentMembers, LockInfo } from './content-shapes.ts';
import { mayView, type RenderContext, urlOf } from './render-context.ts';
import { ServedFields } from './served-fields.ts';
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

/** The address to which a caller who cannot edit an object is sent: its file or its link (plone.restapi, S19). */
function targetUrl({ file, remoteUrl }: { file?: unknown; remoteUrl?: unknown }): { targetUrl?: string } {
  const url = (isJsonObject(file) ? file.download : undefined) ?? remoteUrl;
  return typeof url === 'string' ? { targetUrl: url } : {};
}

/** Renders the objects of one response. What they have in common is found out once. */
export class ObjectRenderer {
  readonly #context: RenderContext;
  readonly #targets: Targets;
  readonly #fields: ServedFields;
  readonly #parts: readonly RepresentationPart[];

  constructor(context: RenderContext, targets: Targets) {
    this.#context = context;
    this.#targets = targets;
    this.#fields = new ServedFields(context, targets);
    this.#parts = context.kernel.slots.get(REPRESENTATION_PARTS);
  }

  /**
   * Adds the members of an object to `served`, without its children, components and neighbours, with the keys of both the specification and
   * plone.restapi (§3.1). Where a field has the name of a key of the object, the value of the object is used. Copies of the result lose the texts of
   * its unparsed members.
   */
  members<Served extends JsonObject>(resolved: ResolvedNode, served: Served): Served & ContentMembers {
    const { site, base, metadataFields, caller } = this.#context;
    const { object } = resolved;
    const type = site.types.get(object.type);
    if (metadataFields.length > 0)
      Object.assign(
        served,
        chosenMetadata(allMetadata(site, base, object, visibleTargets(this.#targets)), metadataFields),
      );
    const mayEdit = has(site, caller, resolved, MODIFY);
    const addresses = this.#fields.write(served, resolved, mayEdit);
    const members = Object.assign(served, mayEdit ? {} : targetUrl(addresses), {
      '@id': urlOf(base, object.path),
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
      lock: lockOf(this.#context, object),
      ...(isRoot(object) ? {} : { version: 'current' }),
    });
    for (const part of this.#parts) Object.assign(members, part(this.#context, resolved));
    return members;
  }

  /** Adds the members of a whole object to `served`, with its parent, neighbours and components, but without children. */
  async whole<Served extends JsonObject>(resolved: ResolvedNode, served: Served): Promise<Served & AnyContent> {
    const members = this.members(resolved, served);
    const around = await relatives(this.#context, resolved);
    return Object.assign(members, around, { '@components': await renderComponents(this.#context, resolved) });
  }
}

/** One object as `ObjectRenderer` renders it. */
export const renderObject = (context: RenderContext, resolved: ResolvedNode, targets: Targets): ContentMembers =>
  new ObjectRenderer(context, targets).members(resolved, {});

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

/** One whole object as `ObjectRenderer` renders it. */
export const renderFull = (context: RenderContext, resolved: ResolvedNode, targets: Targets): Promise<AnyContent> =>
  new ObjectRenderer(context, targets).whole(resolved, {});
