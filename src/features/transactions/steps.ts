import type { journal } from '#core';

/** A step as it was stored. */
export type StoredStep = journal.Step & StoredAt;

/** The place of a stored step, and the version of the object that the step has made. */
export type StoredAt = { path: string; version: number | null };

/** The kinds of steps that can be undone while the object exists. Other kinds cannot be undone, or not always. */
export const ALWAYS_UNDOABLE: readonly journal.StepAction[] = [
  'created',
  'copied',
  'restored',
  'moved',
  'workflow',
  'shared',
  'translated',
];

/** Actions that add content to the tree. */
const BRINGING: ReadonlySet<journal.StepAction> = new Set<journal.StepAction>(['created', 'copied', 'restored']);

/**
 * The steps of a transaction to be undone, the last step first. An undo removes added content, so its other steps are left out; content that was
 * added and deleted again, or deleted and restored, needs no undo of these steps.
 */
export function stepsToUndo(steps: readonly StoredStep[]): StoredStep[] {
  const comings = steps.filter(({ action }) => BRINGING.has(action) || action === 'deleted');
  const first = new Map(comings.toReversed().map((step) => [step.content, step]));
  const last = new Map(comings.map((step) => [step.content, step]));
  const isLeft = ({ content }: StoredStep): boolean => {
    const [begin, end] = [first.get(content), last.get(content)];
    return begin?.action === 'deleted' && end?.action === 'deleted';
  };
  const kept = steps.filter((step) => {
    const [begin, end] = [first.get(step.content), last.get(step.content)];
    if (!begin || !end || (isLeft(step) && step === end)) return true;
    const wasThere = begin.action === 'deleted';
    return wasThere ? !comings.includes(step) : step === end && end.action !== 'deleted';
  });
  // A rule may change content during its deletion. Such a change can be undone only after the content is restored.
  const final = new Map(kept.map((step) => [step.content, step]));
  const ordered = kept.flatMap((step) => {
    const end = last.get(step.content);
    if (!end || !isLeft(step)) return [step];
    if (step === final.get(step.content)) return step === end ? [step] : [step, end];
    return step === end ? [] : [step];
  });
  return ordered.reverse();
}
