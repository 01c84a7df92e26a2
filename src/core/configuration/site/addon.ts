/** A piece of the configuration from an add-on, such as a type, with its file. A piece that an older release installed has no file. */
type AddonRow = { kind: string; id: string; data: unknown; file?: string };

/**
 * A change of an add-on to a setting; without `before` the site had no value. `profile` is the additional profile of the add-on that made the change.
 */
type SettingTrace = { panel: string; name: string; profile?: string } & (
  | { before?: unknown; after: unknown }
  | { added: string[] }
);

/** Record of an installed add-on, from which a site uninstalls or upgrades it. */
export type InstalledAddon = {
  title: string;
  description: string;
  version: string;
  /** The pieces as installed. */
  rows: AddonRow[];
  settings: SettingTrace[];
};
