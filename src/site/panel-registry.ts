import type { Panel, Setting } from './panel.ts';

/** A setting with the panel that it belongs to. */
export type SettingRecord = { panel: Panel; setting: Setting };

/** The control panels that the features of a kernel bring. */
export class PanelRegistry {
  readonly #panels = new Map<string, Panel>();
  readonly #records = new Map<string, SettingRecord>();

  constructor(panels: readonly Panel[]) {
    for (const panel of panels) this.register(panel);
  }

  /** Adds a panel. Throws when its id, or the record of a setting, is taken: a mistake of a programmer. */
  register(panel: Panel): void {
    if (this.#panels.has(panel.id)) throw new Error(`There are two control panels ${panel.id}`);
    for (const setting of panel.settings) {
      if (this.#records.has(setting.record)) throw new Error(`There are two settings ${setting.record}`);
      this.#records.set(setting.record, { panel, setting });
    }
    this.#panels.set(panel.id, panel);
  }

  get(id: string): Panel | undefined {
    return this.#panels.get(id);
  }

  /** All panels: groups in the order of their first panels, and by title in them. */
  all(): readonly Panel[] {
    const panels = [...this.#panels.values()];
    const groups = [...new Set(panels.map(({ group }) => group))];
    return panels.sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || a.title.localeCompare(b.title));
  }

  /** The setting of a name in `@registry`. */
  record(name: string): SettingRecord | undefined {
    return this.#records.get(name);
  }

  /** All settings, in the order of their names in `@registry`. */
  records(): SettingRecord[] {
    return [...this.#records.values()].sort((a, b) => (a.setting.record < b.setting.record ? -1 : 1));
  }
}
