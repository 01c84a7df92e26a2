import fc from 'fast-check';
import type { Kernel } from '../../../src/kernel/kernel.ts';
import { ClientError } from '../../../src/lib/errors.ts';
import type { Bin } from '../bin.ts';
import type { Tree } from '../tree.ts';

/** The server, and what it should have. */
export type World = { kernel: Kernel; tree: Tree; bin: Bin };

/** One thing that somebody does. */
export type Step = { run(world: World): Promise<void> };

/** A number that chooses among the objects that there are. */
export const which = fc.nat({ max: 30 });

/** The value once in `often` times, otherwise nothing. */
export const sometimes = <T>(often: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: often - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Numbers of several objects, most often of one. */
export const several = fc.oneof(fc.tuple(which), fc.array(which, { minLength: 2, maxLength: 3 }));

/**
 * Steps of one kind: `perform` does what was asked for on the server and in the model, which must agree on whether it can
 * be done.
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

/** Does what the server has to refuse with the status `refusal`, or has to do when that is undefined. */
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
