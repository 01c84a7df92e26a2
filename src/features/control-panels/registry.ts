import { Type } from 'typebox';
import {
  batching,
  controlPanels,
  defineService,
  type Kernel,
  MANAGE_PORTAL,
  noContent,
  ok,
  type Panel,
  panelSettings,
  requirePermission,
  type Setting,
  type Site,
  schemas,
  searchResults,
} from '#core';
import { type FieldProblem, NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { settingSchema } from './panel-json.ts';

/** The stored value of a record; empty for a secret. */
const recordValue = (site: Site, { panel, setting }: { panel: Panel; setting: Setting }): unknown =>
  setting.secret ? '' : (panelSettings(site, panel)[setting.name] ?? null);

/** GET `@registry`: all settings of the site as records. */
export const getRegistry = defineService({
  name: '@registry',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Lists the settings of all control panels as records, by name.',
  query: Type.Object({
    q: Type.String({ description: 'What the names begin with.', default: '' }),
    ...batching.Query('records', { size: 25 }),
  }),
  responses: {
    200: {
      description: 'The records.',
      schema: Type.Object({
        '@id': schemas.Address,
        items: Type.Array(
          Type.Object({
            name: Type.String(),
            value: Type.Unknown(),
            schema: Type.Object({ properties: schemas.AnyObject() }),
          }),
        ),
        items_total: Type.Integer(),
        ...batching.Links.properties,
      }),
    },
  },
  async run(context) {
    const { kernel, site, base, query, searchParams } = context;
    const batch = batching.of(query, searchParams);
    const records = kernel.panels.records().filter(({ setting }) => setting.record.startsWith(query.q));
    const url = `${base}/@registry`;
    return ok({
      '@id': searchResults.addressOf(url, searchParams),
      ...batching.linksOf(url, batch, records.length),
      items: records.slice(batch.start, batch.start + batch.size).map((record) => ({
        name: record.setting.record,
        value: recordValue(site, record),
        schema: { properties: settingSchema(context, record.panel, record.setting) },
      })),
      items_total: records.length,
    });
  },
});

/** GET `@registry/<name>`: the value of one record. */
export const getRecord = defineService({
  name: '@registry',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'The value of one setting, as JSON.',
  rest: ['{name}'],
  responses: {
    200: { description: 'The value.', schema: Type.Unknown() },
    404: { description: 'There is no such record.' },
  },
  async run({ kernel, site, params }) {
    const record = kernel.panels.record(params.name);
    if (!record) throw new NotFound(`/@registry/${params.name}`);
    return ok(recordValue(site, record));
  },
});

/** Parses the changes in a body whose keys are names of records. */
function parseRecords({ panels }: Pick<Kernel, 'panels'>, body: JsonObject) {
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
  body: schemas.OpenObject({}, { examples: [{ 'plone.site_title': 'Town of Example' }] }),
  bodyLimit: 4 * 1024 * 1024,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each record that is unknown or does not fit.' },
  },
  async run({ kernel, site, caller, resolved, body }) {
    await controlPanels.change(
      kernel,
      parseRecords(kernel, body),
      {
        requirePermission: (permission) => requirePermission(site, caller, resolved, permission),
        nameOf: (panel, name) => panel.settings.find((setting) => setting.name === name)?.record ?? name,
      },
      (change, tx) => kernel.events.emit('settings.changed', change, { tx, caller }),
    );
    return noContent();
  },
});
