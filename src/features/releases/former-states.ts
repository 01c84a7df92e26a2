import { type Caller, profiles, type Site, type Transaction, workflowHistory } from '#core';
import { loadBatches } from '#lib/batches';
import { settleRecycledStates } from '../recycle-bin/statements/entries.ts';
import {
  type FormerState,
  formerStates,
  listFormerStates,
  type NotedStep,
  otherStates,
  type StateCount,
  statesChangedSince,
} from './statements/states.ts';

/** Objects that get their former states by one statement. */
const BATCH = 1000;

/** The comment in the history of content that has its former state again. */
const COMMENT = 'The release that has changed the workflow was undone.';

/** A reason why the former states cannot be given back. */
export type StateConflict = { kind: 'states'; id: string; key: string; message: string };

const objects = (count: number): string => (count === 1 ? '1 object' : `${count} objects`);

const changedSince = ({ type, state, count }: StateCount): StateConflict => ({
  ...{ kind: 'states', id: type, key: state ?? '' },
  message: `Content of the type "${type}" was brought to another state since (${objects(count)}), "${state ?? ''}".`,
});

const goesOf = ({ type, state, count }: StateCount): StateConflict => ({
  ...{ kind: 'states', id: type, key: state ?? '' },
  message: `Content of the type "${type}" is in the state "${state ?? ''}" (${objects(count)}), which it did not have before.`,
});

const missingIn = ({ type, state, count }: StateCount): StateConflict => ({
  ...{ kind: 'states', id: type, key: state ?? '' },
  message: `Content of the type "${type}" was in the state "${state ?? ''}" (${objects(count)}), which its workflow does not have any more.`,
});

const workflowIn = ({ types, workflows }: Site, type: string) => workflows.get(types.get(type)?.workflow ?? '');

/** Says if content is in a state that its workflow has, and does not have afterwards. */
function isLost(before: Site, after: Site, { type, state }: StateCount): boolean {
  if (state === null) return false;
  const [present, former] = [workflowIn(before, type), workflowIn(after, type)];
  const isIn = (workflow: typeof present) => workflow !== undefined && Object.hasOwn(workflow.states, state);
  return isIn(present) && !isIn(former);
}

/** Says if content was in a state that its workflow would not have, because others have changed it since. */
function isMissing(after: Site, { type, state }: StateCount): boolean {
  const workflow = workflowIn(after, type);
  return state !== null && workflow !== undefined && !Object.hasOwn(workflow.states, state);
}

/**
 * Gives content the states that it had before a step of a release, with an entry in its history, and newer content without a state the first one.
 * `before` is the site with the workflows of the release, `after` the site with the former ones, which are written. Returns whether content has
 * moved, and the reasons against it: content that others have brought to other states, content in states that go, and states
 * that are gone.
 */
export async function restoreStates(
  tx: Transaction,
  { noted, caller, before, after }: { noted: NotedStep; caller: Caller; before: Site; after: Site },
): Promise<{ hasMoved: boolean; conflicts: StateConflict[] }> {
  const types = profiles.followUpOf(before, after).states;
  const changed = noted.step === null ? [] : await statesChangedSince(tx, noted);
  const others = types.length === 0 ? [] : await otherStates(tx, noted, types);
  const former = noted.step === null ? [] : await formerStates(tx, noted);
  const conflicts = [
    ...changed.map(changedSince),
    ...others.filter((one) => isLost(before, after, one)).map(goesOf),
    ...former.filter((one) => isMissing(after, one)).map(missingIn),
  ];
  if (conflicts.length > 0) return { hasMoved: false, conflicts };
  const settling = { actor: caller.id ?? '', comments: COMMENT, at: new Date() };
  let hasMoved = false;
  const load = async (last: FormerState | undefined) =>
    noted.step === null ? [] : listFormerStates(tx, noted, { after: last?.uid ?? '', limit: BATCH });
  for await (const batch of loadBatches(BATCH, load)) {
    hasMoved = true;
    const there = batch.flatMap(({ oid, type, former }) =>
      oid === null || type === null ? [] : [{ oid, workflow: after.types.get(type)?.workflow ?? null, state: former }],
    );
    await workflowHistory.settleStates(tx, there, settling);
    await settleRecycledStates(
      tx,
      batch.filter(({ oid }) => oid === null),
    );
  }
  const first = others.flatMap(({ type, state }) => {
    const workflow = state === null ? workflowIn(after, type) : undefined;
    return workflow ? [{ type, from: null, to: workflow.initial_state, workflow: workflow.id }] : [];
  });
  if (first.length > 0) await workflowHistory.moveStates(tx, first, settling);
  return { hasMoved: hasMoved || first.length > 0, conflicts };
}
