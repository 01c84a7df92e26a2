import type { Kernel } from '#core';
import type { Change } from '../change-schema.ts';
import type { Operation, Selected } from './operation.ts';
import { copyInto, moveInto, remove } from './place.ts';
import { replaceTexts } from './replacement.ts';
import { makeTransition } from './transition.ts';
import { changeTags, setFields } from './values.ts';

/**
 * The input of a change beside its body: the addresses `bases` that links in values may begin with, all objects as `selection`, and the UID of the
 * container as `target`.
 */
type Means = {
  kernel: Kernel;
  bases: readonly string[];
  selection: readonly Selected[];
  target: string | undefined;
};

/** The operation of a change. */
export function operationOf({ name, body }: Change, { kernel, bases, selection, target = '' }: Means): Operation {
  switch (name) {
    case 'tags':
      return changeTags(body);
    case 'transition':
      return makeTransition(body);
    case 'move':
      return moveInto(target);
    case 'copy':
      return copyInto(target);
    case 'delete':
      return remove(body.ignore_links, selection);
    case 'fields':
      return setFields(body, bases);
    case 'replace': {
      const { pattern, replacement, urls, regular_expression: regularExpression, ignore_case: ignoreCase } = body;
      return replaceTexts(kernel, { pattern, replacement, urls, regularExpression, ignoreCase }, bases);
    }
  }
}
