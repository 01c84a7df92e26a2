import { findContents, has, permissions, type RequestContext, type ResolvedNode } from '#core';
import { Conflict, Forbidden, NotFound } from '#lib/errors';
import { Reader as TargetReader } from '../proposals/rights.ts';
import { referredNumbers, requestOf } from './requests.ts';
import { listParts, type PartTarget, type StoredPart } from './statements/parts.ts';
import { findRelease, type StoredRelease } from './statements/releases.ts';

/** A reader of the parts of one release: it sees those whose objects it may view. */
export class Reader {
  readonly #targets: TargetReader;
  readonly #seen: ReadonlySet<number>;

  constructor(
    { site, caller, resolved }: Pick<RequestContext, 'site' | 'caller' | 'resolved'>,
    parts: readonly StoredPart[],
    nodes: readonly ResolvedNode[],
  ) {
    this.#targets = new TargetReader(site, caller, nodes);
    const known = new Set(nodes.map(({ object }) => object.uid));
    const isManager = has(site, caller, resolved, permissions.MANAGE_PORTAL);
    const seen = new Set<number>();
    for (const part of parts) {
      // Nobody can view a target that is gone. The author of the part, and Managers, still see the part and can remove it.
      const isOpen = part.targets.every((target) => (known.has(target.uid) ? this.target(target) : isManager));
      const isRead = part.isSetup ? isManager : isOpen;
      const isFree = referredNumbers(requestOf(part)).every((number) => seen.has(number));
      if ((part.author !== null && part.author === caller.id) || (isRead && isFree)) seen.add(part.number);
    }
    this.#seen = seen;
  }

  /** Says if the reader may view the part with a number. */
  seesPart(number: number): boolean {
    return this.#seen.has(number);
  }

  /** The object of a target; undefined for one that is gone or that the reader may not view. */
  target(target: Pick<PartTarget, 'uid'>): ResolvedNode | undefined {
    return this.#targets.seen(target);
  }

  /** Says if an object of a part was changed, moved or removed since the part was added. */
  isOutOfDate({ targets }: Pick<StoredPart, 'targets'>): boolean {
    return this.#targets.isOutOfDate({ targets: targets.map((target) => ({ request: 0, ...target })) });
  }
}

/** A release with its parts and its reader. */
export type FoundRelease = { release: StoredRelease; parts: StoredPart[]; reader: Reader };

type Context = Pick<RequestContext<object, object, object>, 'kernel' | 'site' | 'caller' | 'resolved'>;

/** The readers of some releases, by their ids, with their parts. */
export async function readersOf(
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { parts: StoredPart[]; reader: Reader }>> {
  const { db } = context.kernel;
  const all = await listParts(db, ids);
  const uids = [...new Set(all.flatMap(({ targets }) => targets.map(({ uid }) => uid)))];
  const nodes = await findContents(db, { uids });
  return new Map(
    ids.map((id) => {
      const parts = all.filter(({ release }) => release === id);
      return [id, { parts, reader: new Reader(context, parts, nodes) }];
    }),
  );
}

/** A release with its parts. Throws NotFound for an unknown id. `isLocked` locks it until the transaction ends. */
export async function requireRelease(
  context: Context,
  id: string,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<FoundRelease> {
  const release = id.includes('\0') ? undefined : await findRelease(context.kernel.db, id, { isLocked });
  const found = release && (await readersOf(context, [id])).get(id);
  if (!release || !found) throw new NotFound(`/@releases/${id}`);
  return { release, ...found };
}

/** The message for who may not view all parts of a release. */
export const UNSEEN_PARTS = 'The release has parts that you may not view.';

/** Throws Forbidden unless the reader sees all parts: nobody publishes what it has not seen, and errors would name it. */
export function requireSeen({ parts, reader }: Pick<FoundRelease, 'parts' | 'reader'>): void {
  if (!parts.every(({ number }) => reader.seesPart(number))) throw new Forbidden(UNSEEN_PARTS);
}

const ENDED: Record<'published' | 'undone', string> = {
  published: 'The release is published already.',
  undone: 'The release was published and undone. Make a new one.',
};

/** Throws Conflict for a release that has gone live. */
export function rejectEnded({ state }: Pick<StoredRelease, 'state'>): void {
  if (state === 'published' || state === 'undone') throw new Conflict(ENDED[state]);
}

/** A locked release that can be changed. Throws NotFound, and Conflict for one that waits for its time or has gone live. */
export async function requireChangeable(context: Context, id: string): Promise<FoundRelease> {
  const found = await requireRelease(context, id, { isLocked: true });
  rejectEnded(found.release);
  if (found.release.state === 'scheduled')
    throw new Conflict('The release waits for its time. Take it from the schedule before you change it.');
  return found;
}
