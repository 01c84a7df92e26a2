import { isAscii } from 'node:buffer';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readvSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
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

/**
 * Reads the code that an earlier process wrote of a text, into memory of its own; undefined when it is missing, of another text, or broken.
 */
export function readCode(path: string, text: Buffer): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const known = Buffer.alloc(CHECKSUMS_BYTES);
    const code = Buffer.allocUnsafeSlow(Math.max(0, fstatSync(file).size - CHECKSUMS_BYTES));
    readvSync(file, [known, code]);
    return checksums(text, code).equals(known) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
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

/** The text of a module as a function, in which `import` is the last parameter: V8 forgets in code that was compiled before how Node imports. */
const asFunction = (text: string): string =>
  `(function (exports, require, module, __filename, __dirname, importModule) {${text}\n})`;

/**
 * The folder of a program, the folders of packages that it uses, and the folder for their compiled code. All files are CommonJS. Those of the program
 * call `import` by the module `importer`, and in those of packages the word is replaced.
 */
export type CompiledFolders = { program: string; packages: readonly string[]; importer: string; cache: string };

/**
 * Has the files of some folders loaded with the code that an earlier process kept below `cache`, if they are in ASCII. Code that is missing, and code
 * that V8 does not take, because it is of another version or has other flags, is compiled, and is there for `keepCompiledCode`.
 */
export function useCompiledCode({ program, packages, importer, cache }: CompiledFolders): void {
  const { extensions } = createRequire(import.meta.url);
  const load = extensions['.js'];
  const version = compiledFor();
  const place = join(cache, version);
  const compiled = new Map<string, { script: Script; text: Buffer }>();
  const isIn = (path: string) => (folder: string) => path.startsWith(folder + sep);
  extensions['.js'] = (module, path) => {
    const isOfPackage = packages.some(isIn(path));
    if (!isOfPackage && !isIn(path)(program)) return load(module, path);
    const text = readFileSync(path);
    if (!isAscii(text)) return load(module, path);
    const file = join(place, basename(path));
    const cachedData = readCode(file, text);
    const source = text.toString('latin1');
    const script = new Script(asFunction(isOfPackage ? source.replace(/\bimport\(/g, 'importModule(') : source), {
      filename: path,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected) compiled.set(file, { script, text });
    const run: (...args: unknown[]) => void = script.runInThisContext();
    const require = createRequire(path);
    Reflect.apply(run, module.exports, [module.exports, require, module, path, dirname(path), require(importer)]);
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
