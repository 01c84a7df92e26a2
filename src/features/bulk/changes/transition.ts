import { findContent, transitionContent } from '#core';
import type { Operation } from './operation.ts';

/** Moves content along a transition of its workflow. Content that has the new state already stays unchanged. */
export const makeTransition = ({ id, comment }: { id: string; comment: string }): Operation => ({
  async apply({ kernel, tx, caller, resolved }) {
    const { path, reviewState } = resolved.object;
    await transitionContent(kernel, { caller, path, transition: id, comment }, { tx });
    const after = await findContent(kernel, path, tx);
    return { changed: after?.object.reviewState !== reviewState };
  },
});
