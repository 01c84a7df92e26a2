import type { Caller, Kernel, ResolvedNode, Site, Transaction } from '#core';

/** One object of a selection, to be changed under the rights of the caller. */
export type Subject = { kernel: Kernel; tx: Transaction; caller: Caller; site: Site; resolved: ResolvedNode };

/** The outcome of a change that was not rejected. `target` is the new path of a moved object or of a copy. */
type Done = { changed: boolean; target?: string };

/** An object that a selection names. */
export type Selected = { uid: string; path: string };

/** One change, as it is made to one object after the other. */
export type Operation = {
  /** The container that all objects go to, by its UID. `lockMode` keeps others from changing it, and with `change` also from adding to it. */
  container?: { uid: string; lockMode: 'add-inside' | 'change' };
  /** Does slow work before the transaction. */
  prepare?(objects: readonly Selected[]): Promise<void>;
  /** Changes one object, which is locked. Throws a client error that says why it is refused. */
  apply(subject: Subject): Promise<Done>;
  /**
   * Says if an object goes along with another object of the selection that was done before and contains it. `present` is its path now; undefined when
   * it is gone.
   */
  wentAlong?(object: Selected & { present: string | undefined }, other: DoneObject): boolean;
};

/** An object of the selection that was not refused: its old path, and the path of it or of its copy now. */
export type DoneObject = { path: string; target: string | null; outcome: 'changed' | 'unchanged' };
