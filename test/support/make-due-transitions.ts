import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { makeDueTransition } from '../../src/features/scheduled-transitions/make-due.ts';

/** Makes all transitions whose time has come, as the worker of a process does. */
export async function makeDueTransitions(kernel: Kernel): Promise<void> {
  while (await makeDueTransition(kernel));
}
