/**
 * A piece of the configuration that an add-on brings, such as a type, with the file that it is from. What was installed by an
 * older release has no file.
 */
type AddonRow = { kind: string; id: string; data: unknown; file?: string };

/** A change of an add-on to a setting: without `before` the site had no value. `profile` is the further part that made it. */
type SettingTrace = { panel: string; name: string; profile?: string } & (
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
