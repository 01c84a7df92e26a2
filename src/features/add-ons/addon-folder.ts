import { existsSync, readdirSync } from 'node:fs';
import { ConfigError, configuration, profileFiles } from '#core';
import { isJsonObject } from '#lib/json-object';
import type { Addon, AddonParts, AddonSetting } from './addon.ts';
import { AddonBroken, type AddonFiles, requireAddonFile } from './addon-files.ts';

/** The sorted names of the files and folders in a folder; none when it does not exist. */
export const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

/** The settings in `settings.json`. A value `{ "add": [...] }` adds items to a list. */
const parseSettings = (file: AddonFiles['settings']): AddonSetting[] =>
  Object.entries(file).flatMap(([panel, values]) =>
    Object.entries(values).map(([name, value]) =>
      isJsonObject(value) && Array.isArray(value.add)
        ? { panel, name, add: value.add.map(String) }
        : { panel, name, value },
    ),
  );

/** The settings and the content of an add-on, or of one of its further profiles. Throws AddonBroken. */
function partsOf(files: ReadonlyMap<string, unknown>, prefix = ''): AddonParts {
  const [settings, content] = [`${prefix}settings.json`, `${prefix}content.json`];
  return {
    settings: parseSettings(requireAddonFile('settings', settings, files.get(settings) ?? {})),
    content: requireAddonFile('content', content, files.get(content) ?? []),
  };
}

/** Kinds that come before others, because the others refer to them. */
const FIRST: readonly string[] = [configuration.KINDS.behavior, configuration.KINDS.workflow, configuration.KINDS.type];
/** Kinds that an add-on cannot bring: other add-ons and the site would have to share them. */
const SHARED: readonly string[] = [configuration.KINDS.action, configuration.KINDS.loginProvider, 'group'];

/** Loads an add-on from its folder. Throws AddonBroken, which names the file and the key. */
export function loadAddon(folder: string): Addon {
  try {
    const files = profileFiles.load(folder);
    const entries = profileFiles.entriesOf(files).filter(({ kind }) => kind !== configuration.KINDS.setting);
    const shared = entries.find(({ kind }) => SHARED.includes(kind));
    if (shared) throw new AddonBroken(`${shared.file}: An add-on cannot have this file.`);
    profileFiles.requireRows(entries);
    const rank = ({ kind }: { kind: string }) => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);
    const profiles = [...new Set([...files.keys()].flatMap((path) => /^profiles\/([^/]+)\//.exec(path)?.[1] ?? []))];
    return {
      ...requireAddonFile('metadata', 'metadata.json', files.get('metadata.json')),
      rows: entries.sort((a, b) => rank(a) - rank(b)).map(({ kind, id, data, file }) => ({ kind, id, data, file })),
      steps: profileFiles.stepsOf(files),
      ...partsOf(files),
      profiles: new Map(profiles.sort().map((name) => [name, partsOf(files, `profiles/${name}/`)])),
    };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof AddonBroken)
      throw new AddonBroken(`${folder}: ${error.message}`);
    throw error;
  }
}
