import { afterAll, beforeAll } from 'vitest';
import type { Row, State } from '../../security/matrix/row.ts';
import { type Scene, startScene } from '../../security/matrix/scene.ts';
import type { Engine } from '../../support/engines.ts';
import { compareKept, type KeptAndFresh } from './kept-and-fresh.ts';
import { broadAddresses, readAddresses, wholeOf } from './reads.ts';
import { prepareWrite } from './writes.ts';

/** Who reads: a visitor, somebody who is logged in, and who may see everything. */
const READERS = ['Anonymous', 'Member', 'Manager'];

/** A site on which writes are done while everything is kept that can be. */
export type Sweep = {
  scene: () => Scene;
  /**
   * Has responses kept, does a write, and returns the reads whose kept responses are others than those that are made anew:
   * those of the sweep, and those of the object that the write is about.
   */
  staleAfter(path: string, write: () => Promise<unknown>): Promise<string[]>;
  /** The same for the write of a row of the matrix. */
  staleAfterRow(row: Row, state: State): Promise<string[]>;
};

/** Starts such a site for the tests of one `describe`, with content in a state. `reads` are all cacheable reads, or the broad ones only. */
export function useSweep(engine: Engine, { state, reads }: { state: State; reads: 'all' | 'broad' }): Sweep {
  let scene: Scene;
  let both: KeptAndFresh;
  let addresses: string[];

  beforeAll(async () => {
    scene = await startScene(engine);
    await scene.enter(state);
    const readers = scene.callers.filter(({ name }) => READERS.includes(name));
    both = await compareKept(scene, readers);
    addresses = reads === 'all' ? await readAddresses(scene) : broadAddresses(scene);
  });
  afterAll(async () => {
    await both?.close();
    await scene?.close();
  });

  async function staleAfter(path: string, write: () => Promise<unknown>): Promise<string[]> {
    const read = [...new Set([...addresses, ...wholeOf(scene, path)])];
    await both.warm(read);
    await write();
    return both.stale(read);
  }

  return {
    scene: () => scene,
    staleAfter,
    async staleAfterRow(row, state) {
      const { path, send } = await prepareWrite(scene, row, state);
      const stale = await staleAfter(path, send);
      await scene.restore();
      return stale;
    },
  };
}
