import { accountRows, contentStates, groupRows, type Transaction } from '#core';
import { isJsonObject, type JsonObject, textOf } from '#lib/json-object';
import { mergeMembers } from '#lib/merge/merge-order';
import { loadBases, type PackedBase, writeBases } from '../statements/bases.ts';
import { presentAccounts, presentGroups, presentMembers } from '../statements/principals.ts';
import { type AgainJob, OPERATOR } from './again-job.ts';
import { unpack } from './imported-state.ts';
import {
  accountParts,
  groupKey,
  groupParts,
  membersKey,
  memberToken,
  type Principals,
  principalBases,
  userKey,
} from './principal-bases.ts';

/** Bases that are compared at once. */
const CHUNK_SIZE = 500;

/** A part of an export about users and groups that is another one than at the last import. */
type Changed = { former: PackedBase; next: PackedBase };

/** The users and groups of the site, by the keys of bases. */
type Present = ReadonlyMap<string, unknown>;

/** Brings users, groups and memberships that earlier imports have made up to date. Accounts are never removed. */
export async function updatePrincipals(job: AgainJob, principals: Principals): Promise<void> {
  if (!(await job.source.parts()).has('principals')) return;
  const bases = principalBases(principals);
  for (let at = 0; at < bases.length; at += CHUNK_SIZE) {
    const chunk = bases.slice(at, at + CHUNK_SIZE);
    const keys = chunk.map(({ uid }) => uid);
    const formers = new Map((await loadBases(job.scope.db, job.key, keys)).map((former) => [former.uid, former]));
    const changed = chunk.flatMap((next): Changed[] => {
      const former = formers.get(next.uid);
      return former && former.state !== next.state ? [{ former, next }] : [];
    });
    if (changed.length === 0) continue;
    const outcomes = await job.scope.write((tx) => writeChanged(tx, job, changed));
    for (const { path, parts, conflicts } of outcomes) {
      for (const conflict of conflicts) job.again.differences.conflict({ path, uid: '', ...conflict });
      if (parts.length > 0) job.again.differences.change({ change: 'changed', path, parts });
    }
  }
}

type Outcome = {
  path: string;
  parts: string[];
  conflicts: ReturnType<typeof contentStates.mergeSettings>['conflicts'];
};

async function writeChanged(tx: Transaction, job: AgainJob, changed: readonly Changed[]): Promise<Outcome[]> {
  const present = await loadPresent(tx, changed);
  const outcomes: Outcome[] = [];
  const done: PackedBase[] = [];
  for (const one of changed) {
    const outcome = one.next.uid.startsWith(membersKey(''))
      ? await writeMembers(tx, one, present)
      : await writeParts(tx, job, one, present);
    outcomes.push(outcome);
    if (outcome.conflicts.length === 0 || job.again.rule !== 'stop') done.push(one.next);
  }
  await writeBases(tx, job.key, done);
  const names = outcomes.flatMap(({ path, parts }) => (parts.length > 0 ? [path.split('/').at(-1) ?? ''] : []));
  const change = { part: 'people', id: '', change: 'imported', names };
  if (names.length > 0) await job.again.kernel.events.emit('site.changed', change, { tx, caller: OPERATOR });
  return outcomes;
}

async function loadPresent(tx: Transaction, changed: readonly Changed[]): Promise<Present> {
  const idsOf = (keyOf: (id: string) => string) =>
    changed.flatMap(({ next: { uid, object } }) => (uid === keyOf(object) ? [object] : []));
  const present = new Map<string, unknown>();
  for (const { id, ...account } of await presentAccounts(tx, idsOf(userKey)))
    present.set(userKey(id), accountParts(account));
  for (const { id, ...group } of await presentGroups(tx, idsOf(groupKey))) present.set(groupKey(id), groupParts(group));
  for (const id of idsOf(membersKey)) present.set(membersKey(id), []);
  for (const { group, member, isGroup } of await presentMembers(tx, idsOf(membersKey)))
    present.set(membersKey(group), [...textsIn(present.get(membersKey(group))), memberToken(member, isGroup)]);
  return present;
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((text) => (typeof text === 'string' ? [text] : [])) : [];

const partsIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Merges a user or a group part by part. One that was removed here stays so. */
async function writeParts(
  tx: Transaction,
  job: AgainJob,
  { former, next }: Changed,
  present: Present,
): Promise<Outcome> {
  const id = next.object;
  const isUser = next.uid === userKey(id);
  const path = `@${isUser ? 'users' : 'groups'}/${id}`;
  const here = present.get(next.uid);
  if (here === undefined) return { path, parts: [], conflicts: [] };
  const sides = { base: partsIn(unpack(former.state)), there: partsIn(unpack(next.state)), here: partsIn(here) };
  const { settings, conflicts } = contentStates.mergeSettings(job.again.rule === 'take', sides);
  if (Object.keys(settings).length > 0) await (isUser ? writeAccount(tx, id, settings) : writeGroup(tx, id, settings));
  return { path, parts: Object.keys(settings), conflicts };
}

async function writeAccount(tx: Transaction, id: string, settings: JsonObject): Promise<void> {
  const properties = Object.entries(settings).flatMap(([name, value]) =>
    name.startsWith('property:') ? [[name.slice('property:'.length), value] as const] : [],
  );
  await accountRows.updateAccount(tx, id, {
    ...('fullname' in settings ? { fullname: textOf(settings.fullname) } : {}),
    ...('email' in settings ? { email: textOf(settings.email) } : {}),
    ...('roles' in settings ? { roles: textsIn(settings.roles) } : {}),
    ...('portrait' in settings ? { portrait: settings.portrait } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
  });
}

const writeGroup = (tx: Transaction, id: string, settings: JsonObject): Promise<void> =>
  groupRows.updateGroup(tx, id, {
    ...('title' in settings ? { title: textOf(settings.title) } : {}),
    ...('description' in settings ? { description: textOf(settings.description) } : {}),
    ...('email' in settings ? { email: textOf(settings.email) } : {}),
    ...('roles' in settings ? { roles: textsIn(settings.roles) } : {}),
  });

/** Merges the members of a group: those that a side has added come in, and those that a side has removed go. */
async function writeMembers(tx: Transaction, { former, next }: Changed, present: Present): Promise<Outcome> {
  const group = next.object;
  const theirs = textsIn(present.get(next.uid));
  const merged = mergeMembers({ base: textsIn(unpack(former.state)), mine: textsIn(unpack(next.state)), theirs });
  const parse = (token: string) => ({
    isGroup: token.startsWith('group:'),
    member: token.replace(/^(?:user|group):/, ''),
  });
  const added = [...merged].filter((token) => !theirs.includes(token)).map(parse);
  const gone = theirs.filter((token) => !merged.has(token)).map(parse);
  const isThere = (await presentGroups(tx, [group])).length > 0;
  if (!isThere) return { path: `@groups/${group}`, parts: [], conflicts: [] };
  await groupRows.insertMemberships(
    tx,
    added.map(({ member, isGroup }) => ({ group, member, isGroup })),
  );
  for (const isGroup of [false, true]) {
    const ids = gone.filter((one) => one.isGroup === isGroup).map(({ member }) => member);
    await groupRows.removeMembers(tx, group, { ids, isGroup });
  }
  return { path: `@groups/${group}`, parts: added.length + gone.length > 0 ? ['members'] : [], conflicts: [] };
}
