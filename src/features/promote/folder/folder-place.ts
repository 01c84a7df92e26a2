import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, profileFiles } from '#core';
import { isJsonObject } from '#lib/json-object';
import type { ObjectForm } from '../forms/object-form.ts';
import { isWithin, type Scope } from '../forms/scope.ts';
import type { Place } from '../places/place.ts';
import {
  CONTENT,
  filePlace,
  folderName,
  folderOf,
  idOf,
  MARK,
  MARK_FILE,
  OBJECT_FILE,
  ORDER_FILE,
  SETUP,
} from './folder-names.ts';

/** Loads JSON. Throws ConfigError with the name of a file that has something else. */
async function loadJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The parts of a form that the file of an object has. Throws ConfigError for a file that is no object. */
function parseFile(
  file: string,
  data: unknown,
): Pick<ObjectForm, 'uid' | 'type' | 'layout' | 'rights' | 'values' | 'settings'> {
  const { uid, type, layout = null, rights = true, values = {}, settings = {} } = isJsonObject(data) ? data : {};
  const isForm =
    isText(uid) &&
    /^[\w-]{1,64}$/.test(uid) &&
    isText(type) &&
    (layout === null || isText(layout)) &&
    typeof rights === 'boolean' &&
    isJsonObject(values) &&
    isJsonObject(settings);
  if (!isForm)
    throw new ConfigError(`${file} is no object: it needs "uid" and "type", and "values" and "settings" are objects.`);
  return { uid, type, layout, rights, values, settings };
}

/** The ids in an order, those that it does not name behind them. */
async function orderIn(folder: string, names: readonly string[]): Promise<Map<string, number>> {
  const file = join(folder, ORDER_FILE);
  const data = existsSync(file) ? await loadJson(file) : [];
  if (!Array.isArray(data)) throw new ConfigError(`${file} must be a list of ids.`);
  const present = new Set(names);
  const known = new Set(data.filter((name): name is string => isText(name) && present.has(name)));
  const rest = names.filter((name) => !known.has(name)).sort();
  return new Map([...known, ...rest].map((name, at) => [name, at + 1]));
}

type Visit = { folder: string; path: string; parent: string; position: number };

/** A folder that was written by `canopy pull`, or by hand in the same form. Throws ConfigError for another folder. */
export async function folderPlace(folder: string): Promise<Place> {
  const mark = await loadJson(join(folder, MARK_FILE));
  if (!isJsonObject(mark) || mark.format !== MARK.format)
    throw new ConfigError(`${folder} is no copy of a site: ${MARK_FILE} says nothing of it.`);
  if (typeof mark.version !== 'number' || mark.version > MARK.version)
    throw new ConfigError(`${folder} was written by a newer version of Canopy.`);
  const paths = new Map<string, string>();
  const uids = new Map<string, string>();

  async function load({ folder: at, path, parent, position }: Visit): Promise<ObjectForm | undefined> {
    const file = join(at, OBJECT_FILE);
    if (!existsSync(file)) return undefined;
    const parts = parseFile(file, await loadJson(file));
    const other = paths.get(parts.uid);
    if (other !== undefined && other !== path)
      throw new ConfigError(`${other} and ${path} have the same uid. A copied object needs another one.`);
    paths.set(parts.uid, path);
    uids.set(path, parts.uid);
    const name = path === '/' ? '' : path.slice(path.lastIndexOf('/') + 1);
    return { ...parts, path, place: { parent, name }, position };
  }

  async function* walk(visit: Visit): AsyncGenerator<ObjectForm> {
    const form = await load(visit);
    if (form) yield form;
    const entries = await readdir(visit.folder, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && !/^[._]/.test(entry.name));
    const names = folders.map((entry) => idOf(entry.name));
    const misnamed = folders.find((entry, at) => folderName(names[at] ?? '') !== entry.name);
    if (misnamed)
      throw new ConfigError(
        `${join(visit.folder, misnamed.name)} cannot be the folder of an object: "%" only stands for what folders cannot be called.`,
      );
    const order = await orderIn(visit.folder, names);
    for (const name of names.sort())
      yield* walk({
        folder: join(visit.folder, folderName(name)),
        path: visit.path === '/' ? `/${name}` : `${visit.path}/${name}`,
        parent: form?.uid ?? '',
        position: order.get(name) ?? 0,
      });
  }

  const all = async function* (): AsyncGenerator<ObjectForm> {
    if (existsSync(join(folder, CONTENT)))
      yield* walk({ folder: join(folder, CONTENT), path: '/', parent: '', position: 0 });
  };

  return {
    label: folder,
    async *objects(scope: Scope) {
      for await (const form of all()) if (isWithin(scope, form)) yield form;
    },
    async load(wanted) {
      if (wanted.some((uid) => !paths.has(uid))) for await (const _ of all());
      const found: ObjectForm[] = [];
      for (const uid of wanted) {
        const path = paths.get(uid);
        if (path === undefined) continue;
        const up = path === '/' ? undefined : path.slice(0, path.lastIndexOf('/')) || '/';
        const parent = uids.get(up ?? '') ?? '';
        const form = await load({ folder: join(folder, folderOf(path)), path, parent, position: 0 });
        if (form) found.push(form);
      }
      return found;
    },
    async setup() {
      const place = join(folder, SETUP);
      return { files: existsSync(place) ? profileFiles.load(place) : new Map(), notes: [] };
    },
    async file(hash) {
      const file = join(folder, filePlace(hash));
      if (!existsSync(file)) throw new ConfigError(`${file} is missing.`);
      return createReadStream(file);
    },
    close: async () => {},
  };
}
