import type { Caller, Kernel, ResolvedNode, Site, Transaction } from '#core';

/** The state of one object of a selection: it is to be changed under the rights of the caller. */
export type Subject = { kernel: Kernel; tx: Transaction; caller: Caller; site: Site; resolved: ResolvedNode };

/** The outcome of a change that was not refused. `target` is the path of what was moved or copied then. */
type Done = { changed: boolean; target?: string };

/** An object that a selection names. */
export type Selected = { uid: string; path: string };

/** One change, as it is made to one object after the other. */
export type Operation = {
  /** The container that all go to, by its UID. Others may not change it meanwhile, or not add to it (`change`). */
  container?: { uid: string; lockMode: 'add-inside' | 'change' };
  /** Prepares what takes long, before the transaction. */
  prepare?(objects: readonly Selected[]): Promise<void>;
  /** Changes one object, which is locked. Throws a client error that says why it is refused. */
  apply(subject: Subject): Promise<Done>;
  /**
   * Says if an object goes along with another one of the selection that was done before: it lies below that. `present` is the path where it is
   * now; undefined where it is gone.
   */
  wentAlong?(object: Selected & { present: string | undefined }, other: DoneObject): boolean;
};

/** An object of the selection that was not refused: where it was, and where it or its copy is. */
export type DoneObject = { path: string; target: string | null; outcome: 'changed' | 'unchanged' };
