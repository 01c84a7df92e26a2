import { fstatSync, fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import type { LogSync } from './log-sync.ts';

type Started = Awaited<ReturnType<NodeFS['init']>>;
type StartOptions = Parameters<NodeFS['init']>[1];

type Operations = Record<string, unknown>;

/** The parts of Emscripten's NODEFS that are changed. */
type FileSystem = { streams: Operations; nodes: Operations; realPath(node: unknown): unknown };

const isOperations = (value: unknown): value is Operations => typeof value === 'object' && value !== null;

const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === 'function';

function fileSystemOf(module: object): FileSystem {
  const nodeFs: unknown = Reflect.get(module, 'NODEFS');
  if (isOperations(nodeFs)) {
    const { stream_ops: streams, node_ops: nodes, realPath } = nodeFs;
    if (isOperations(streams) && isOperations(nodes) && isFunction(realPath))
      return { streams, nodes, realPath: (node) => realPath(node) };
  }
  throw new Error('This version of PGlite has no NODEFS');
}

/** An open file of NODEFS: `nfd` is its file descriptor in this process. */
const streamOf = (value: unknown): { nfd: unknown; node: unknown } =>
  isOperations(value) ? { nfd: value.nfd, node: value.node } : { nfd: undefined, node: undefined };

/** A file of the log. Those that are being made have other names. */
const OF_LOG = /[\\/]pg_wal[\\/][0-9A-F]{24}$/;

/** The operations that change the files of a database, beside writes to the log. */
const CHANGES = { streams: ['setattr'], nodes: ['setattr', 'rename', 'unlink', 'rmdir'] } as const;

/** Has `first` called with the arguments of an operation before it. */
function precede(operations: Operations, name: string, first: (args: readonly unknown[]) => void): void {
  const operation = operations[name];
  if (!isFunction(operation)) throw new Error(`This version of PGlite has no ${name} in its NODEFS`);
  operations[name] = (...args: unknown[]): unknown => {
    first(args);
    return Reflect.apply(operation, operations, args);
  };
}

/** As many bytes as the engine makes a file longer by at once. */
const NOTHING = Buffer.alloc(64 * 1024);

/**
 * Says if a write makes a file longer by empty pages. The arguments are those of the operation: the stream, the memory of the engine with the place
 * and the length of the content in it, and the position in the file.
 */
function isGrowth([stream, memory, place, length, position]: readonly unknown[]): boolean {
  const { nfd } = streamOf(stream);
  if (!ArrayBuffer.isView(memory) || typeof nfd !== 'number') return false;
  if (typeof place !== 'number' || typeof length !== 'number' || typeof position !== 'number') return false;
  if (length > NOTHING.length || NOTHING.compare(new Uint8Array(memory.buffer, place, length), 0, length, 0, length))
    return false;
  return position >= fstatSync(nfd).size;
}

/**
 * Gives the engine an `fsync` that reaches the disk: for its log by `log`, later; for other files at once. Whatever else it changes
 * waits until the log is on the disk, as PostgreSQL takes for granted: a table that is ahead of the log would be broken by a power cut. Empty pages
 * at its end are not: PostgreSQL makes tables longer before it writes the log of the new pages.
 */
function makeDurable({ streams, nodes, realPath }: FileSystem, log: LogSync): void {
  const logFile = (stream: unknown): string | undefined => {
    const path = realPath(streamOf(stream).node);
    return typeof path === 'string' && OF_LOG.test(path) ? path : undefined;
  };
  const afterLog = (): void => {
    if (log.isPending) log.now();
  };
  streams.fsync = (stream: unknown): number => {
    const { nfd } = streamOf(stream);
    if (typeof nfd !== 'number') return 0;
    const path = logFile(stream);
    if (path !== undefined) {
      log.ask(path);
      return 0;
    }
    afterLog();
    fsyncSync(nfd);
    return 0;
  };
  precede(streams, 'write', (args) => {
    if (log.isPending && logFile(args[0]) === undefined && !isGrowth(args)) log.now();
  });
  for (const name of CHANGES.streams) precede(streams, name, afterLog);
  for (const name of CHANGES.nodes) precede(nodes, name, afterLog);
}

/**
 * The folder of an embedded database, with an `fsync` that reaches the disk. PGlite's own file system has none, so that a power cut could
 * destroy the database, not only lose its last commits.
 */
export class DurableNodeFS extends NodeFS {
  readonly #log: LogSync;

  constructor(folder: string, log: LogSync) {
    super(folder);
    this.#log = log;
  }

  override async init(pg: PGlite, options: StartOptions): Promise<Started> {
    const { emscriptenOpts } = await super.init(pg, options);
    const addSync = (module: object): void => makeDurable(fileSystemOf(module), this.#log);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } };
  }
}
