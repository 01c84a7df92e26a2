import type { journal } from '#core';

/** The reason why a transaction cannot be undone a second time. */
export const ALREADY_UNDONE = 'This has been undone already.';
/** The reason why a transaction with too many steps cannot be undone. */
export const TOO_MUCH = 'This has changed too much at once to be undone.';

/** A step that cannot be undone. */
export type FinalStep = { action: journal.StepAction; path: string };

/** The reason why a step can never be undone, in English like the descriptions of transactions. */
export function whyFinal(kinds: journal.StepKinds, { action, path }: FinalStep): string {
  const { final } = kinds.of(action);
  if (!final) throw new Error(`Steps "${action}" can be undone`);
  return final(path);
}
