import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { type EngineCode, loadEngine } from './stored-engine.ts';

/**
 * Options for compiling the engine to fast machine code: only functions that have done much work, one at a time. By default Node begins earlier and
 * with four at once, which takes a third of the time of a start and leaves some twenty megabytes in each thread. A function is checked when it is
 * compiled at its first call: a start calls few of them.
 */
const COMPILING = ['--wasm-tiering-budget=18000000', '--wasm-num-compilation-tasks=1', '--wasm-lazy-validation'];

/** The machine code that the build has stored (`scripts/engine-code.mjs`), seen from the bundle. A program that runs from its sources has none. */
const STORED = fileURLToPath(new URL('../../engine-code', import.meta.url));

let code: Promise<EngineCode> | undefined;

/** The folder of the engine's files. */
export const engineFolder = (): string => dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));

/** Reads the engine as it is in the package: at once, in some milliseconds, because in pieces it would wait for the modules that are being loaded. */
export const readEngine = (): Buffer => readFileSync(join(engineFolder(), 'pglite.wasm'));

async function compile(): Promise<EngineCode> {
  for (const flag of COMPILING) setFlagsFromString(flag);
  const text = readEngine();
  return loadEngine(STORED, text) ?? WebAssembly.compile(text);
}

/**
 * Loads the stored machine code of the engine of embedded databases, or compiles it in a thread, once for the process. Called at the beginning of a
 * start, the compiler goes on while the rest of the program is loaded. Rejects when the package is broken, for the caller that opens a database.
 */
export function engineCode(): Promise<EngineCode> {
  if (code === undefined) {
    code = compile();
    code.catch(() => {});
  }
  return code;
}
