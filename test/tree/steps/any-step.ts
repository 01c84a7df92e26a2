import fc from 'fast-check';
import { changes, reversions } from './change.ts';
import { checkIns, checkOuts } from './check-out.ts';
import { copies } from './copy.ts';
import { creations } from './create.ts';
import { moves, renamings } from './move.ts';
import { reorderings, sortings } from './order.ts';
import { removals } from './remove.ts';
import { purges, restorations } from './restore.ts';
import { sharings } from './share.ts';
import type { Step } from './step.ts';
import { transitions } from './transition.ts';

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: creations },
  { weight: 3, arbitrary: changes },
  { weight: 6, arbitrary: reversions },
  { weight: 4, arbitrary: renamings },
  { weight: 7, arbitrary: moves },
  { weight: 4, arbitrary: copies },
  { weight: 4, arbitrary: reorderings },
  { weight: 1, arbitrary: sortings },
  { weight: 3, arbitrary: removals },
  { weight: 6, arbitrary: restorations },
  { weight: 1, arbitrary: purges },
  { weight: 3, arbitrary: transitions },
  { weight: 4, arbitrary: sharings },
  { weight: 1, arbitrary: checkOuts },
  { weight: 3, arbitrary: checkIns },
);

/**
 * A sequence of random steps. It begins with creations, because the other steps need objects. Without
 * the bias of fast-check, which prefers small numbers and so short sequences with few objects.
 */
export const lifeOf = (length: { minLength?: number; maxLength: number }): fc.Arbitrary<Step[]> =>
  fc.noBias(
    fc
      .tuple(fc.array(creations, { maxLength: 8 }), fc.array(anyStep, { size: 'max', ...length }))
      .map((parts) => parts.flat()),
  );
