/** The files of the page, as the build has put them beside the program: scripts and styles whose names change with them. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { acceptsByName } from '#lib/http/accept';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { packageFolder } from '#lib/process/process';
import { Slot } from '#lib/slots';

/** Loads the page with the first call; empty where it is switched off. */
export const BUILT_PAGE = new Slot<() => BuiltPage | undefined>('manage page');

/** The form in which a file is sent, by the endings of the files that the build makes. */
const ENCODINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The source that the page begins with, by which the manifest of the build knows it. */
const ENTRY = 'src/main.tsx';

type Encoded = { bytes: Buffer; encoding?: (typeof ENCODINGS)[number]['encoding'] };

/** The page as it was built. */
export class BuiltPage {
  readonly script: string;
  readonly styles: readonly string[];
  /** Scripts that the first one imports, to be loaded at the same time. */
  readonly preloads: readonly string[];
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #loaded = new Map<string, Buffer>();

  /** Throws for a folder without the page. */
  constructor(folder: string) {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const [entry, ...others] = chunksOf(isJsonObject(manifest) ? manifest : {}, ENTRY);
    if (!entry) throw new Error(`${folder} has no page: build it again`);
    this.#folder = join(folder, 'assets');
    this.#names = new Set(readdirSync(this.#folder));
    this.script = entry.file;
    this.styles = [entry, ...others].flatMap(({ styles }) => styles);
    this.preloads = others.map(({ file }) => file);
  }

  /** The media type of a file; undefined for a name that the page does not have. */
  typeOf(name: string): string | undefined {
    return this.#names.has(name) ? TYPES[extname(name)] : undefined;
  }

  /** The bytes of a file in the smallest form that the header `Accept-Encoding` of a client names. */
  load(name: string, accept: string | undefined): Encoded {
    for (const { encoding, ending } of ENCODINGS)
      if (this.#names.has(name + ending) && acceptsByName(accept, encoding))
        return { bytes: this.#read(name + ending), encoding };
    return { bytes: this.#read(name) };
  }

  #read(name: string): Buffer {
    const bytes = this.#loaded.get(name) ?? readFileSync(join(this.#folder, name));
    this.#loaded.set(name, bytes);
    return bytes;
  }
}

/** Names of files without their folder, by which clients ask for them. */
const namesIn = (files: unknown): string[] =>
  (Array.isArray(files) ? files : [files]).flatMap((file) =>
    typeof file === 'string' ? [file.slice(file.lastIndexOf('/') + 1)] : [],
  );

/** A chunk of the build and those that it imports at once, however far. */
function chunksOf(manifest: JsonObject, key: string, seen = new Set<string>()): { file: string; styles: string[] }[] {
  const chunk = manifest[key];
  if (!isJsonObject(chunk) || seen.has(key)) return [];
  seen.add(key);
  const imports = Array.isArray(chunk.imports) ? chunk.imports : [];
  const [file] = namesIn(chunk.file);
  return [
    ...(file === undefined ? [] : [{ file, styles: namesIn(chunk.css ?? []) }]),
    ...imports.flatMap((next) => (typeof next === 'string' ? chunksOf(manifest, next, seen) : [])),
  ];
}

/** Loads the page from the folder of the build; undefined where it was not built. */
export function loadBuiltPage(): BuiltPage | undefined {
  const folder = join(packageFolder('.'), 'dist/manage');
  return existsSync(join(folder, 'manifest.json')) ? new BuiltPage(folder) : undefined;
}

/** The entity tag of a document. */
export const tagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url')}"`;
