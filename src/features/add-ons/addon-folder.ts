import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../lib/json-object.ts';
import type { Addon, AddonParts, AddonRow, AddonSetting } from '../../site/addon.ts';
import { KINDS } from '../../site/site.ts';
import { AddonBroken, type AddonFiles, requireAddonFile } from './addon-files.ts';

/** The JSON of a file; undefined when there is none. Throws AddonBroken. */
function readJson(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new AddonBroken(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Names of what is in a folder, in order; none when there is no such folder. */
export const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

/** Rows of a folder of files, each of which has an `id`. */
function folderRows(folder: string, file: 'type' | 'behavior' | 'workflow', kind: string): AddonRow[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const path = join(folder, name);
      const data = requireAddonFile(file, path, readJson(path));
      return { kind, id: data.id, data };
    });
}

const settingsOf = (file: AddonFiles['settings']): AddonSetting[] =>
  Object.entries(file).flatMap(([panel, values]) =>
    Object.entries(values).map(([name, value]) =>
      isJsonObject(value) && Array.isArray(value.add)
        ? { panel, name, add: value.add.map(String) }
        : { panel, name, value },
    ),
  );

/** What a folder says of settings and content. */
function readParts(folder: string): AddonParts {
  const settings = join(folder, 'settings.json');
  const content = join(folder, 'content.json');
  return {
    settings: settingsOf(requireAddonFile('settings', settings, readJson(settings) ?? {})),
    content: requireAddonFile('content', content, readJson(content) ?? []),
  };
}

/** Reads the folder of an add-on. Throws AddonBroken. */
export function readAddon(folder: string): Addon {
  const metadata = join(folder, 'metadata.json');
  const permissions = join(folder, 'permissions.json');
  const profiles = join(folder, 'profiles');
  const granted = requireAddonFile('permissions', permissions, readJson(permissions) ?? {});
  return {
    ...requireAddonFile('metadata', metadata, readJson(metadata)),
    rows: [
      ...folderRows(join(folder, 'behaviors'), 'behavior', KINDS.behavior),
      ...folderRows(join(folder, 'workflows'), 'workflow', KINDS.workflow),
      ...folderRows(join(folder, 'types'), 'type', KINDS.type),
      ...Object.entries(granted).map(([id, data]) => ({ kind: KINDS.permission, id, data })),
    ],
    ...readParts(folder),
    profiles: new Map(namesIn(profiles).map((name) => [name, readParts(join(profiles, name))])),
  };
}
