import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../lib/json-object.ts';
import type { Addon, AddonParts, AddonRow, AddonSetting } from '../../site/addon.ts';
import { KINDS } from '../../site/site.ts';
import { AddonBroken, type AddonFiles, requireAddonFile } from './addon-files.ts';

/** The parsed JSON of a file; undefined when there is no such file. Throws AddonBroken. */
function loadJson(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new AddonBroken(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The sorted names of the files and folders in a folder; none when it does not exist. */
export const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

/** The rows of a folder of JSON files, each of which has an `id`. */
function loadRows(folder: string, file: 'type' | 'behavior' | 'workflow', kind: string): AddonRow[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const path = join(folder, name);
      const data = requireAddonFile(file, path, loadJson(path));
      return { kind, id: data.id, data };
    });
}

/** The settings in `settings.json`. A value `{ "add": [...] }` adds items to a list. */
const parseSettings = (file: AddonFiles['settings']): AddonSetting[] =>
  Object.entries(file).flatMap(([panel, values]) =>
    Object.entries(values).map(([name, value]) =>
      isJsonObject(value) && Array.isArray(value.add)
        ? { panel, name, add: value.add.map(String) }
        : { panel, name, value },
    ),
  );

/** The settings and the content in a folder. Throws AddonBroken. */
function loadParts(folder: string): AddonParts {
  const settings = join(folder, 'settings.json');
  const content = join(folder, 'content.json');
  return {
    settings: parseSettings(requireAddonFile('settings', settings, loadJson(settings) ?? {})),
    content: requireAddonFile('content', content, loadJson(content) ?? []),
  };
}

/** Loads an add-on from its folder. Throws AddonBroken. */
export function loadAddon(folder: string): Addon {
  const metadata = join(folder, 'metadata.json');
  const permissions = join(folder, 'permissions.json');
  const profiles = join(folder, 'profiles');
  const granted = requireAddonFile('permissions', permissions, loadJson(permissions) ?? {});
  return {
    ...requireAddonFile('metadata', metadata, loadJson(metadata)),
    rows: [
      ...loadRows(join(folder, 'behaviors'), 'behavior', KINDS.behavior),
      ...loadRows(join(folder, 'workflows'), 'workflow', KINDS.workflow),
      ...loadRows(join(folder, 'types'), 'type', KINDS.type),
      ...Object.entries(granted).map(([id, data]) => ({ kind: KINDS.permission, id, data })),
    ],
    ...loadParts(folder),
    profiles: new Map(namesIn(profiles).map((name) => [name, loadParts(join(profiles, name))])),
  };
}
