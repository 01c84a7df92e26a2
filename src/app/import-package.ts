import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ConfigError } from '../core/configuration/environment/setting-names.ts';
import { messageOf } from '../lib/errors.ts';

/** Entry files of a folder whose package.json names none. */
const ENTRIES = ['index.ts', 'index.mts', 'index.mjs', 'index.js'];

/** Prefix of addresses of packages that are resolved from a folder, see `installHooks`. */
const FROM = 'canopy-from:';

const isPath = (name: string): boolean => isAbsolute(name) || /^\.{1,2}(?:[\\/]|$)/.test(name);

/**
 * The import address of a feature in a configuration: a file, or a package as Node resolves it from the folder. Throws ConfigError for a path without
 * a file.
 */
export function locateFeature(name: string, folder: string): string {
  if (name.startsWith('file:')) return name;
  if (!isPath(name)) return `${FROM}${JSON.stringify([name, pathToFileURL(join(folder, 'x')).href])}`;
  const path = resolve(folder, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new ConfigError(`There is no package at ${path}.`);
  if (!stat.isDirectory()) return pathToFileURL(path).href;
  const manifest = join(path, 'package.json');
  const { name: own, exports, main } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
  // A package resolves its own name, with all rules of `exports`.
  if (exports && own) return `${FROM}${JSON.stringify([own, pathToFileURL(manifest).href])}`;
  const entry = [main, ...ENTRIES].find((one) => typeof one === 'string' && existsSync(join(path, one)));
  if (entry === undefined) throw new ConfigError(`The folder ${path} has no package.json with "exports" or "main".`);
  return pathToFileURL(join(path, entry)).href;
}

/**
 * Runs in the thread that resolves imports. `canopy-server` is always this program, so that a feature in any folder uses the classes of the running
 * program. `canopy-from:` resolves a package from the place of a file.
 */
const HOOKS = `
let own;
export const initialize = (data) => { own = data; };
export async function resolve(specifier, context, next) {
  if (Object.hasOwn(own, specifier)) return { url: own[specifier], shortCircuit: true };
  if (!specifier.startsWith(${JSON.stringify(FROM)})) return next(specifier, context);
  const [name, parentURL] = JSON.parse(specifier.slice(${FROM.length}));
  return next(name, { ...context, parentURL });
}`;

let installed = false;

function installHooks(): void {
  if (installed) return;
  installed = true;
  const extension = extname(fileURLToPath(import.meta.url));
  const address = (name: string) => new URL(`../${name}${extension}`, import.meta.url).href;
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, {
    data: {
      'canopy-server': address('index'),
      'canopy-server/core': address('core/index'),
      'canopy-server/testing': address('testing'),
    },
  });
}

const canStripTypes = (): boolean => Boolean(Reflect.get(process.features, 'typescript'));

const oneLine = (error: unknown): string =>
  messageOf(error)
    .trim()
    .replace(/\s*\n\s*/g, ' ');

/**
 * The default export of a module. `who` begins the messages of errors.
 * @throws ConfigError when it is missing, when it throws, and for TypeScript where Node does not run it
 */
export async function importFrom(address: string, configPath: string, who: string): Promise<unknown> {
  installHooks();
  const isTypeScript = /\.m?ts$/.test(address);
  if (isTypeScript && !canStripTypes())
    throw new ConfigError(
      `${who} is TypeScript, which Node ${process.version} does not run: use Node 22.18 or newer, or JavaScript (.mjs).`,
    );
  try {
    const module: Record<string, unknown> = await import(address);
    return module.default;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${who} cannot be loaded from ${dirname(configPath)}: ${oneLine(error)}`);
  }
}

/** The address of a package that is installed in a folder or above it; undefined when it is not. */
function findInstalled(name: string, folder: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'x')).resolve(name)).href;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'MODULE_NOT_FOUND') return undefined;
    // The package is installed, but exports only for imports.
    if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return locateFeature(name, folder);
    throw error;
  }
}

/**
 * The default export of a package that is installed in a folder or beside the server, or that is at a path. Undefined when it is not installed.
 * Throws ConfigError when there is nothing at the path, and for a package that cannot be loaded.
 */
export async function importInstalled(name: string, folder: string): Promise<unknown> {
  const address = isPath(name)
    ? locateFeature(name, folder)
    : (findInstalled(name, folder) ?? findInstalled(name, dirname(fileURLToPath(import.meta.url))));
  return address === undefined ? undefined : importFrom(address, join(folder, 'x'), `The package "${name}"`);
}
