import type { FieldProblem } from '../lib/errors.ts';
import type { Property } from '../types/definition.ts';
import type { Site } from './site.ts';

/** Permission to read the control panels, and to change those that do not ask for more. */
export const OVERVIEW = 'Overview control panel';

/** What may be chosen: tokens with their titles. */
export type Choices = [token: string, title: string][];

/** Values of a panel by the names of its settings: those of the site, else the defaults. */
export type PanelValues = Readonly<Record<string, unknown>>;

/** One setting of the site: a field of a panel, and what is known of it beyond its form. Each has an effect in the server. */
export type Setting = {
  name: string;
  /** Its form, as `@types` describes fields; `default` is its value where the site has none. */
  property: Property;
  /** Its name in `@registry`: Plone's where Plone has such a setting. */
  record: string;
  /** Another name that clients send it under. */
  alias?: string;
  /** It may not be null. */
  required?: true;
  /** It is never served. Empty text leaves it as it is, for clients send back what they were given. */
  secret?: true;
  /** What a change of it needs, instead of the permission of its panel. */
  permission?: string;
  /** What may be chosen. `values` are those of the panel, with what is changed so far. */
  choices?(site: Site, values: PanelValues): Choices;
  /** What is wrong with a value that fits the form; undefined when nothing is. Not asked for values that stay. */
  problem?(value: unknown): string | undefined;
};

/** A control panel: settings of one subject with their form. */
export type Panel = {
  /** Its name in addresses and in the settings of the site. */
  id: string;
  title: string;
  /** Where it stands in the overview: `General`, `Content`, `Users`, `Security`. */
  group: string;
  /** What a change needs; `OVERVIEW` unless given. */
  permission?: string;
  /** In the order of the form. None where services of its own serve the panel (`@controlpanels/<id>`). */
  settings: Setting[];
  /** What is wrong with the values together. */
  check?(values: PanelValues): FieldProblem[];
  /** Words that it is found by, beyond the titles of the panel, its group and its settings. */
  searchableText?(site: Site): string[];
};

/** The values of a panel on a site. */
export const panelValues = (panel: Panel, site: Site): PanelValues => {
  const stored = site.settings.get(panel.id);
  return Object.fromEntries(
    panel.settings.map(({ name, property }) => [name, stored?.[name] ?? property.default ?? null]),
  );
};
