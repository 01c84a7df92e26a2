import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import type { PGliteOptions } from '@electric-sql/pglite';
import { compiledFor, readCode, writeCode } from '../../lib/process/compiled-code.ts';

/** The compiled engine, as PGlite takes it. */
export type EngineCode = NonNullable<PGliteOptions['pgliteWasmModule']>;

/** A function of V8 itself: Node has none that stores the machine code of WebAssembly. */
function ownFunction(name: string, parameters: string): (...given: unknown[]) => unknown {
  setFlagsFromString('--allow-natives-syntax');
  try {
    // In brackets it is compiled here, while the flag is set.
    return runInThisContext(`(function (${parameters}) { return %${name}(${parameters}); })`);
  } finally {
    // Compiled code is of the flags that are set.
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** The folder keeps one file for each version of Node, with its flags, and each kind of processor. */
const fileIn = (folder: string): string => join(folder, compiledFor());

/**
 * Loads the engine with the machine code that `storeEngine` has put into the folder; functions without code there are compiled at their first call.
 * Undefined when it is missing for this engine, version or processor, or the file is broken.
 */
export function loadEngine(folder: string, text: Buffer): EngineCode | undefined {
  const code = readCode(fileIn(folder), text);
  if (code === undefined) return undefined;
  const loaded = ownFunction('DeserializeWasmModule', 'code, text')(code.buffer, text);
  return loaded instanceof WebAssembly.Module ? loaded : undefined;
}

/**
 * Puts the fast machine code of an engine into the folder: that of the functions that have been called, in a process with `--no-liftoff`. V8 ends
 * the process when no function has been called.
 */
export function storeEngine(folder: string, text: Buffer, engine: EngineCode): void {
  // As they are in a server. The one flag has changed the other.
  for (const flag of ['--liftoff', '--wasm-dynamic-tiering']) setFlagsFromString(flag);
  const code = ownFunction('SerializeWasmModule', 'engine')(engine);
  if (!(code instanceof ArrayBuffer)) throw new Error('This version of Node does not store the code of WebAssembly');
  mkdirSync(folder, { recursive: true });
  writeCode(fileIn(folder), text, Buffer.from(code));
}
