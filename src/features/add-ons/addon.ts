import type { Feature, profiles, Site } from '#core';
import type { JsonObject } from '#lib/json-object';

/** The record that a site has of an installed add-on, needed to uninstall or upgrade the add-on. */
export type InstalledAddon = NonNullable<ReturnType<Site['addons']['get']>>;

/** A piece of the configuration that an add-on brings, such as a type, with the file that it is from. */
export type AddonRow = InstalledAddon['rows'][number];

/** The trace of an add-on in a setting. */
export type SettingTrace = InstalledAddon['settings'][number];

/** A value that an add-on gives a setting, or items that it adds to a setting that is a list. */
export type AddonSetting = { panel: string; name: string } & ({ value: unknown } | { add: string[] });

/** Settings and content that are applied together. */
export type AddonParts = { settings: AddonSetting[]; content: JsonObject[] };

/** An add-on: a folder of data that a site can take on and give up again. See docs/add-ons.md. */
export type Addon = AddonParts & {
  id: string;
  title: string;
  description: string;
  /** A whole number as a string: a greater number is an upgrade. */
  version: string;
  rows: AddonRow[];
  /** The changes of its rows from version to version, the lowest version first. */
  steps: profiles.Target['steps'];
  /** Further parts that can be imported into a site that has the add-on, by name. */
  profiles: ReadonlyMap<string, AddonParts>;
  /** Code of its feature that takes part in installing and uninstalling. */
  hooks?: Pick<NonNullable<Feature['profile']>, 'installed' | 'uninstalling'>;
};
