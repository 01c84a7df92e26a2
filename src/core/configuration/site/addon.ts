import type { JsonObject } from '../../../lib/json-object.ts';
import type { ProfileStep } from '../profiles/profile-step.ts';

/**
 * A piece of the configuration that an add-on brings, such as a type, with the file that it is from. What was installed by an
 * older release has no file.
 */
export type AddonRow = { kind: string; id: string; data: unknown; file?: string };

/** A value that an add-on gives a setting, or items that it adds to one that is a list. */
export type AddonSetting = { panel: string; name: string } & ({ value: unknown } | { add: string[] });

/** Settings and content, as they are applied together. */
export type AddonParts = { settings: AddonSetting[]; content: JsonObject[] };

/** An add-on: a folder of data that a site can take on and give up again. See docs/add-ons.md. */
export type Addon = AddonParts & {
  id: string;
  title: string;
  description: string;
  /** A whole number as a string: a greater one is an upgrade. */
  version: string;
  rows: AddonRow[];
  /** How its rows changed with its versions, the lowest first. */
  steps: readonly ProfileStep[];
  /** Further parts that can be imported into a site that has the add-on, by name. */
  profiles: ReadonlyMap<string, AddonParts>;
};

/** Change of a setting by an add-on: without `before` the site had no value. `profile` is the further part that changed it. */
export type SettingTrace = { panel: string; name: string; profile?: string } & (
  | { before?: unknown; after: unknown }
  | { added: string[] }
);

/** Record of an installed add-on, from which a site uninstalls or upgrades it. */
export type InstalledAddon = {
  title: string;
  description: string;
  version: string;
  /** As the add-on brought them. */
  rows: AddonRow[];
  settings: SettingTrace[];
};
