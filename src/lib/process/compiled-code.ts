import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** Code that V8 compiled of one file: two checksums, of the text and of the code, and the code. V8 itself looks at neither. */
const CHECKSUMS_BYTES = 8;

const checksums = (text: Buffer, code: Buffer): Buffer => {
  const both = Buffer.alloc(CHECKSUMS_BYTES);
  both.writeUInt32LE(crc32(text), 0);
  both.writeUInt32LE(crc32(code), CHECKSUMS_BYTES / 2);
  return both;
};

/** The name for compiled code of this version of Node, with its flags, on this kind of processor: V8 takes no other. */
export const compiledFor = (): string => `${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}`;

/** Reads the code that an earlier process wrote of a text; undefined when it is missing, of another text, or broken. */
export function readCode(file: string, text: Buffer): Buffer | undefined {
  try {
    const content = readFileSync(file);
    const code = content.subarray(CHECKSUMS_BYTES);
    return checksums(text, code).equals(content.subarray(0, CHECKSUMS_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the code of a text. It is written under another name first: under its own name the file is whole. */
export function writeCode(file: string, text: Buffer, code: Buffer): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, Buffer.concat([checksums(text, code), code]));
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

let keep: (() => void) | undefined;

/**
 * Has the files of a folder, which are CommonJS in ASCII, loaded with the code that an earlier process kept below the folder `cache`. Code that is
 * missing, and code that V8 does not take, because it is of another version or has other flags, is compiled, and is there for `keepCompiledCode`.
 * Files in the folder cannot call `import`, because V8 forgets in such code how Node imports.
 */
export function useCompiledCode(folder: string, cache: string): void {
  const { extensions } = createRequire(import.meta.url);
  const load = extensions['.js'];
  const version = compiledFor();
  const place = join(cache, version);
  const compiled = new Map<string, { script: Script; text: Buffer }>();
  extensions['.js'] = (module, path) => {
    if (!path.startsWith(folder + sep)) return load(module, path);
    const text = readFileSync(path);
    const file = join(place, basename(path));
    const cachedData = readCode(file, text);
    const script = new Script(Module.wrap(text.toString('latin1')), {
      filename: path,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected) compiled.set(file, { script, text });
    const run: (...args: unknown[]) => void = script.runInThisContext();
    Reflect.apply(run, module.exports, [module.exports, createRequire(path), module, path, dirname(path)]);
  };
  keep = () => {
    extensions['.js'] = load;
    keep = undefined;
    // Other flags than at the beginning would have the next process compile again.
    if (compiled.size === 0 || compiledFor() !== version) return;
    try {
      mkdirSync(place, { recursive: true });
      for (const [file, { script, text }] of compiled) writeCode(file, text, script.createCachedData());
    } catch {
      // Where nothing can be written, each process compiles.
    }
  };
}

/** Keeps the code that this process had to compile for later ones, with all functions that it has called, and loads further files as Node does. */
export const keepCompiledCode = (): void => keep?.();
