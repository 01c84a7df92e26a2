import { type Static, Type } from 'typebox';
import { type RequestContext, schemas, urlOf } from '#core';
import type { FoundRelease, Reader } from './found-release.ts';
import { requestOf } from './requests.ts';
import type { StoredPart } from './statements/parts.ts';
import { STATES, type StoredRelease } from './statements/releases.ts';

const Time = Type.String({ format: 'date-time' });
const User = schemas.Nullable(Type.String(), { description: 'Id of a user; null when the user is gone.' });

/** A release in lists. */
export const Release = Type.Object({
  '@id': schemas.Address,
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  state: Type.Enum([...STATES]),
  creator: User,
  created: Time,
  changed: Type.String({ format: 'date-time', description: 'When it or its parts were changed last.' }),
  at: schemas.Nullable(Time, { description: 'When it goes live by itself, or was to go live.' }),
  scheduled_by: User,
  published: schemas.Nullable(Time),
  published_by: User,
  transactions: Type.Array(Type.Integer(), {
    description:
      'The numbers of the recorded transactions that it went live by, one for each part that changed something.',
  }),
  undone: schemas.Nullable(Time),
  undone_by: User,
  problem: schemas.Nullable(
    Type.Object({ part: schemas.Nullable(Type.Integer()), status: Type.Integer(), message: Type.String() }),
    { description: 'Why it did not go live at its time.' },
  ),
});

/** A part of a release. */
const Part = Type.Object({
  number: Type.Integer({ description: 'Its number, by which other parts refer to its response. It never changes.' }),
  method: Type.String(),
  path: Type.String(),
  body: Type.Optional(schemas.AnyObject()),
  author: User,
  added: Time,
  targets: Type.Array(
    Type.Object({ '@id': Type.Optional(schemas.Address), path: Type.String(), title: Type.Optional(Type.String()) }),
    { description: 'The objects that it touches. One that is gone has only the path that it had.' },
  ),
  out_of_date: Type.Boolean({
    description:
      'Whether an object that it changes was changed, moved or removed since. False once the release is published.',
  }),
});

/** A whole release. */
export const WholeRelease = Type.Object({
  ...Release.properties,
  parts: Type.Array(Part, { description: 'The parts that you may view, in their order.' }),
});

/** The address of a release. */
export const addressOf = (base: string, id: string): string => `${base}/@releases/${encodeURIComponent(id)}`;

const NO_MESSAGE = 'One of its parts could not be done.';

/** A release as lists have it. */
export function releaseJson(base: string, release: StoredRelease, reader: Reader): Static<typeof Release> {
  const { id, title, description, state, creator, problem, transactions } = release;
  const isSeen = problem && (problem.part === null || reader.seesPart(problem.part));
  return {
    '@id': addressOf(base, id),
    ...{ id, title, description, state, creator, transactions },
    created: release.created.toISOString(),
    changed: release.changed.toISOString(),
    at: release.at?.toISOString() ?? null,
    scheduled_by: release.scheduledBy,
    published: release.published?.toISOString() ?? null,
    published_by: release.publishedBy,
    undone: release.undone?.toISOString() ?? null,
    undone_by: release.undoneBy,
    problem: problem && (isSeen ? problem : { part: null, status: problem.status, message: NO_MESSAGE }),
  };
}

/** A part for a reader who sees it. */
function partJson(base: string, part: StoredPart, { reader, isOpen }: { reader: Reader; isOpen: boolean }) {
  const { author, added } = part;
  const byUid = new Map(part.targets.map((target) => [target.uid, target]));
  const targets = [...byUid.values()].map((target) => {
    const object = reader.target(target)?.object;
    return object ? { '@id': urlOf(base, object.path), path: object.path, title: object.title } : { path: target.path };
  });
  return {
    ...requestOf(part),
    author,
    added: added.toISOString(),
    targets,
    out_of_date: isOpen && reader.isOutOfDate(part),
  };
}

/** A whole release for its reader. */
export function wholeJson(
  { base }: Pick<RequestContext, 'base'>,
  { release, parts, reader }: FoundRelease,
): Static<typeof WholeRelease> {
  const isOpen = release.published === null;
  return {
    ...releaseJson(base, release, reader),
    parts: parts
      .filter(({ number }) => reader.seesPart(number))
      .map((part) => partJson(base, part, { reader, isOpen })),
  };
}
