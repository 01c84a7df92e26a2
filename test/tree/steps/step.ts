import fc from 'fast-check';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { ClientError } from '../../../src/lib/errors.ts';
import type { Bin } from '../bin.ts';
import type { Tree } from '../tree.ts';

/** The server, and the model of its expected state. */
export type World = { kernel: Kernel; tree: Tree; bin: Bin };

/** One step of a test. */
export type Step = { run(world: World): Promise<void> };

/** A number that selects one of the present objects. */
export const which = fc.nat({ max: 30 });

/** The value in one of `often` cases, otherwise undefined. */
export const sometimes = <T>(often: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: often - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Numbers that select objects, in most cases one. */
export const several = fc.oneof(fc.tuple(which), fc.array(which, { minLength: 2, maxLength: 3 }));

/**
 * Steps of one kind: `perform` runs on the server and in the model, which must agree on whether the step is
 * possible.
 */
export const steps = <Asked>(
  kind: string,
  asked: fc.Arbitrary<Asked>,
  perform: (world: World, asked: Asked) => Promise<void>,
): fc.Arbitrary<Step> =>
  asked.map((what) => {
    const text = () => `${kind} ${JSON.stringify(what)}`;
    return { run: (world) => perform(world, what), toString: text, [fc.toStringMethod]: text };
  });

/** Runs work that the server must reject with the status `refusal`, or must do when that is undefined. */
export async function attempt<T>(refusal: number | undefined, work: () => Promise<T>): Promise<T | undefined> {
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    if (error instanceof ClientError && error.status === refusal) return undefined;
    throw error;
  }
  if (refusal !== undefined) throw new Error(`This was done and should be refused with ${refusal}.`);
  return answer;
}
