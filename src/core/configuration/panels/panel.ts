import type { FieldProblem } from '../../../lib/errors.ts';
import type { Property } from '../../types/definition.ts';
import type { Site } from '../site/site.ts';

/** Permission to read the control panels, and to change panels without a permission of their own. */
export const OVERVIEW = 'Overview control panel';

/** Choices of a setting: tokens with their titles. */
export type Choices = [token: string, title: string][];

/** Values of a panel by the names of its settings: those of the site, else the defaults. */
export type PanelValues = Readonly<Record<string, unknown>>;

/**
 * One setting of the site: a field of a panel, with further facts beyond its form. Each setting has an effect in the server, unless it declares
 * otherwise. `N` is the type of its name, `V` that of its value. Made by the functions of `setting-forms.ts`.
 */
export type Setting<N extends string = string, V = unknown> = {
  name: N;
  /** Its form, as `@types` describes fields; `default` is its value on a site without a value. */
  property: Property;
  /** Its name in `@registry`: Plone's name if Plone has such a setting. */
  record: string;
  /**
   * Nick's name, if it differs from Plone's. Sites that are not known as Plone's serve the setting under Nick's name; requests and profiles may use
   * either name.
   */
  alias?: string;
  /** Nick's form marks the setting as required, but it may be empty. */
  aliasRequired?: true;
  /** It may not be null. */
  required?: true;
  /** The setting is never served. An empty text does not change it, because clients send back the values that they received. */
  secret?: true;
  /** The setting has no effect in the server, and its description says so. Only sites that are known as Plone's show it. */
  withoutEffect?: true;
  /** Permission for a change of it, instead of the permission of its panel. */
  permission?: string;
  /** The stored value where it has the form of the setting, else the default. */
  parse(stored: unknown): V;
  /** The choices. `values` are those of the panel, including the changes so far. */
  choices?(site: Site, values: PanelValues): Choices;
  /** Returns the problem of a value that fits the form; undefined for a correct one. Not called for unchanged values. */
  problem?(value: unknown): string | undefined;
};

/** A control panel: settings of one subject with their form. */
export type Panel<S extends readonly Setting[] = readonly Setting[]> = {
  /** Its name in addresses and in the settings of the site. */
  id: string;
  title: string;
  /** Its group in the overview: `General`, `Content`, `Users`, `Security`. */
  group: string;
  /** Permission for changes; `OVERVIEW` unless given. */
  permission?: string;
  /** The id of the panel that stores the settings, if this panel shows settings of another one; its own id unless given. */
  store?: string;
  /** Says if the overview of a site lists the panel; every site unless given. */
  isOffered?(site: Site): boolean;
  /** The settings in the order of the form; empty if the panel has services of its own (`@controlpanels/<id>`). */
  settings: S;
  /** Returns the problems of combinations of values. */
  check?(values: PanelValues): FieldProblem[];
  /** Words by which the panel is found, beyond the titles of the panel, its group and its settings. */
  searchableText?(site: Site): string[];
};

/** The values of settings by their names. */
export type PanelSettings<S extends readonly Setting[]> = {
  readonly [One in S[number] as One['name']]: ReturnType<One['parse']>;
};

/** Declares a panel, keeping the names of its settings and the types of their values for `panelSettings`. */
export const definePanel = <const S extends readonly Setting[]>(panel: Panel<S>): Panel<S> => panel;

/** Cached, because the settings of a site object never change, and every request needs some of them. */
const known = new WeakMap<Site['settings'], Map<unknown, PanelValues>>();

function valuesOf(panel: Panel, settings: Site['settings']): PanelValues {
  let ofSite = known.get(settings);
  if (!ofSite) {
    ofSite = new Map();
    known.set(settings, ofSite);
  }
  let values = ofSite.get(panel);
  if (!values) {
    const stored = settings.get(panel.store ?? panel.id);
    values = Object.fromEntries(
      panel.settings.map(({ name, alias = name, parse }) => [name, parse(stored?.[name] ?? stored?.[alias])]),
    );
    ofSite.set(panel, values);
  }
  return values;
}

/**
 * The settings of a panel on a site, typed by its declaration. A setting that the site lacks, or that does not have the form that the panel declares,
 * has its default.
 */
export const panelSettings = <S extends readonly Setting[]>(
  { settings }: Pick<Site, 'settings'>,
  panel: Panel<S>,
): PanelSettings<S> => valuesOf(panel, settings) as PanelSettings<S>;

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
      const known = this.#records.get(setting.record);
      if (panel.store !== undefined && known?.setting === setting) continue;
      if (known) throw new Error(`There are two settings ${setting.record}`);
      this.#records.set(setting.record, { panel, setting });
    }
    this.#panels.set(panel.id, panel);
  }

  get(id: string): Panel | undefined {
    return this.#panels.get(id);
  }

  /** All panels: groups in the order of their first panels, and panels by title in each group. */
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
