import { Type } from 'typebox';
import {
  controlPanels,
  defineService,
  noContent,
  ok,
  type Panel,
  type RequestContext,
  requirePermission,
  schemas,
} from '#core';
import { type FieldProblem, NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { PanelBody, PanelEntry, panelEntry, panelJson } from './panel-json.ts';

/** The panel that the address names. Throws NotFound when it does not exist. */
function requirePanel({ kernel }: Pick<RequestContext, 'kernel'>, id: string): Panel {
  const panel = kernel.panels.get(id);
  if (!panel) throw new NotFound(`/@controlpanels/${id}`);
  return panel;
}

/** GET `@controlpanels`: the control panels. */
export const getControlpanels = defineService({
  name: '@controlpanels',
  method: 'GET',
  context: 'site',
  permission: controlPanels.OVERVIEW,
  summary: 'Lists the control panels.',
  responses: {
    200: {
      description: 'The panels, by group.',
      schema: Type.Array(PanelEntry),
    },
  },
  run: async ({ kernel, site, base }) =>
    ok(
      kernel.panels
        .all()
        .filter(({ isOffered }) => isOffered?.(site) !== false)
        .map((panel) => panelEntry(panel, site, base)),
    ),
});

/** GET `@controlpanels/<panel>`: the form of a panel and its values. */
export const getControlpanel = defineService({
  name: '@controlpanels',
  method: 'GET',
  context: 'site',
  permission: controlPanels.OVERVIEW,
  summary: 'The form of a control panel and its values. Passwords are left empty.',
  rest: ['{panel}'],
  responses: {
    200: {
      description: 'The panel.',
      schema: PanelBody,
    },
    404: { description: 'There is no such panel.' },
  },
  run: async (context) => ok(panelJson(context, requirePanel(context, context.params.panel))),
});

/** Clients send the entire panel back, with the logo in it. */
const BODY_LIMIT = 4 * 1024 * 1024;

/**
 * Parses the changes of a panel in a body, whose keys are names of settings or Plone's names. `names` maps the settings to
 * the keys.
 */
function parseChanges(panel: Panel, body: JsonObject) {
  const problems: FieldProblem[] = [];
  const names = new Map<string, string>();
  const changes = Object.entries(body).flatMap(([sent, value]) => {
    const setting = panel.settings.find(({ name, alias }) => name === sent || alias === sent);
    if (!setting || names.has(setting.name)) {
      const message = setting ? 'Is sent under two names.' : `Is no setting of the panel "${panel.id}".`;
      problems.push({ field: sent.slice(0, 100), message });
      return [];
    }
    names.set(setting.name, sent);
    return [{ panel, setting, value }];
  });
  return { changes, problems, names };
}

/** PATCH `@controlpanels/<panel>`: changes settings. */
export const patchControlpanel = defineService({
  name: '@controlpanels',
  method: 'PATCH',
  context: 'site',
  permission: controlPanels.OVERVIEW,
  summary:
    'Changes the settings that are sent, all of them or none. Some panels need the permission "cmf.ManagePortal".',
  rest: ['{panel}'],
  body: schemas.OpenObject({}, { examples: [{ site_title: 'Town of Example' }] }),
  bodyLimit: BODY_LIMIT,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each setting that is unknown or does not fit.' },
    404: { description: 'There is no such panel.' },
  },
  async run(context) {
    const { kernel, site, caller, resolved, body } = context;
    const panel = requirePanel(context, context.params.panel);
    const { names, ...input } = parseChanges(panel, body);
    await controlPanels.change(
      kernel,
      input,
      {
        requirePermission: (permission) => requirePermission(site, caller, resolved, permission),
        nameOf: (_panel, name) => names.get(name) ?? name,
      },
      (change, tx) => kernel.events.emit('settings.changed', change, { tx, caller }),
    );
    return noContent();
  },
});
