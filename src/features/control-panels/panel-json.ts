import { type Static, Type } from 'typebox';
import {
  controlPanels,
  Form,
  fieldSchema,
  type Panel,
  panelSettings,
  type RequestContext,
  type Setting,
  type Site,
  say,
  schemas,
  siteSettings,
  speaksPlone,
  titledIn,
} from '#core';
import type { JsonObject } from '#lib/json-object';

/** A control panel in responses: its form and its values. */
export const PanelBody = Type.Object({
  '@id': Type.String(),
  title: Type.String(),
  group: Type.String(),
  schema: Form,
  data: schemas.AnyObject({ description: 'The values of the settings.' }),
});

/** A control panel in the overview. */
export const PanelEntry = Type.Object({
  '@id': schemas.Address,
  title: Type.String(),
  group: Type.String(),
  searchable_text: Type.Array(Type.String(), { description: 'Words that a search box finds it by.' }),
});

type View = Pick<RequestContext, 'kernel' | 'site' | 'base'>;

/** The settings that the panel of a site shows: clients of Plone expect settings without effect as well. */
const settingsOn = (site: Site, settings: readonly Setting[]): Setting[] =>
  settings.filter(({ withoutEffect }) => !withoutEffect || speaksPlone(site));

/** Address of a panel. */
const panelUrl = (base: string, id: string): string => `${base}/@controlpanels/${encodeURIComponent(id)}`;

/** A panel in the overview, with the words of its search text (plone.restapi §7, `@controlpanels`). */
export const panelEntry = (
  { id, title, group, settings, searchableText }: Panel,
  site: Site,
  base: string,
): Static<typeof PanelEntry> => ({
  '@id': panelUrl(base, id),
  title: say(site, title),
  group: say(site, group),
  searchable_text: [
    say(site, title),
    say(site, group),
    ...settingsOn(site, settings).map(({ property }) => say(site, property.title)),
    ...(searchableText?.(site) ?? []),
  ],
});

/** The name of a setting on a site: Plone's or Nick's. */
const nameOn = (site: Site, { name, alias = name }: Setting): string => (speaksPlone(site) ? name : alias);

/** True if the form of a panel requires a setting on this site. */
const isRequired = (site: Site, { required, aliasRequired }: Setting): boolean =>
  required === true || (aliasRequired === true && !speaksPlone(site));

/** The JSON Schema of a setting, with the choices of this site. */
export function settingSchema({ site, base }: View, panel: Panel, setting: Setting): JsonObject {
  const { name, required, ...property } = controlPanels.fieldOf(setting, site, panelSettings(site, panel));
  return fieldSchema(base, titledIn(site, property));
}

/** A value as the kind of its field serves it, for example choices with their titles. Secrets are empty. */
function servedValue({ kernel, site }: View, setting: Setting, values: controlPanels.Values): unknown {
  if (setting.secret) return '';
  const value = values[setting.name] ?? null;
  const field = titledIn(site, controlPanels.fieldOf(setting, site, values));
  const context = {
    ...{ objectUrl: '', target: () => undefined, termTitle: () => undefined, scales: siteSettings.scales(site) },
    ...{ mayEdit: true, slots: kernel.slots },
  };
  return value === null ? null : (kernel.fieldKinds.of(field).serialize?.(value, field, context) ?? value);
}

/** A panel with its form and its values (Nick and plone.restapi, `@controlpanels/<id>`). */
export function panelJson(view: View, panel: Panel): Static<typeof PanelBody> {
  const { site, base } = view;
  const { id, title, group } = panel;
  const settings = settingsOn(site, panel.settings);
  const values = panelSettings(site, panel);
  return {
    '@id': panelUrl(base, id),
    title: say(site, title),
    group: say(site, group),
    schema: {
      type: 'object',
      fieldsets: [
        { id: 'default', title: say(site, 'Default'), fields: settings.map((setting) => nameOn(site, setting)) },
      ],
      properties: Object.fromEntries(
        settings.map((setting) => [nameOn(site, setting), settingSchema(view, panel, setting)]),
      ),
      required: settings.filter((setting) => isRequired(site, setting)).map((setting) => nameOn(site, setting)),
    },
    data: Object.fromEntries(settings.map((setting) => [nameOn(site, setting), servedValue(view, setting, values)])),
  };
}
