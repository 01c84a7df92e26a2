import { Type } from 'typebox';
import { requirePermission } from '../../../content/permissions.ts';
import type { FieldProblem } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json-object.ts';
import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { changeSettings, type SettingsInput } from '../../../site/panel-change.ts';
import type { PanelRegistry } from '../../../site/panel-registry.ts';

/** The settings that a body names by their records. */
function readRecords(panels: PanelRegistry, body: JsonObject): SettingsInput {
  const problems: FieldProblem[] = [];
  const changes = Object.entries(body).flatMap(([name, value]) => {
    const record = panels.record(name);
    if (!record) problems.push({ field: name.slice(0, 200), message: 'There is no such record.' });
    return record ? [{ ...record, value }] : [];
  });
  return { changes, problems };
}

/** PATCH `@registry`: changes settings by the names of their records. */
export const patchRegistry = defineService({
  name: '@registry',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes settings by the names of their records, all of them or none.',
  body: Type.Object({}, { additionalProperties: true, examples: [{ 'plone.site_title': 'Town of Example' }] }),
  bodyLimit: 4 * 1024 * 1024,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each record that is unknown or does not fit.' },
  },
  async run({ kernel, site, caller, resolved, body }) {
    await changeSettings(kernel, readRecords(kernel.panels, body), {
      requirePermission: (permission) => requirePermission(site, caller, resolved, permission),
      nameOf: (panel, name) => panel.settings.find((setting) => setting.name === name)?.record ?? name,
    });
    return noContent();
  },
});
