import { fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Started = Awaited<ReturnType<NodeFS['init']>>;
type StartOptions = Parameters<NodeFS['init']>[1];

/** An open file of Emscripten's NODEFS: `nfd` is its file descriptor in this process. */
type Stream = { nfd?: number };
type StreamOperations = { fsync?: (stream: Stream) => number };

function streamOperations(module: object): StreamOperations {
  const nodeFs: unknown = Reflect.get(module, 'NODEFS');
  const operations: unknown = typeof nodeFs === 'object' && nodeFs !== null && Reflect.get(nodeFs, 'stream_ops');
  if (typeof operations !== 'object' || operations === null) throw new Error('This version of PGlite has no NODEFS');
  return operations;
}

/**
 * The folder of an embedded database, with an `fsync` that reaches the disk. PGlite's own file
 * system has none, so that a power cut could destroy the database, not only lose its last commits.
 */
export class DurableNodeFS extends NodeFS {
  override async init(pg: PGlite, options: StartOptions): Promise<Started> {
    const { emscriptenOpts } = await super.init(pg, options);
    const addSync = (module: object): void => {
      streamOperations(module).fsync = ({ nfd }) => {
        if (nfd !== undefined) fsyncSync(nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } };
  }
}
