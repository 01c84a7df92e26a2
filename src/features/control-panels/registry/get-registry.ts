import { Type } from 'typebox';
import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { batchLinks, readBatch } from '../../../serializer/batch.ts';
import { resultsAddress } from '../../../services/search/results-address.ts';
import { defineService, ok } from '../../../services/service.ts';
import { panelValues } from '../../../site/panel.ts';
import type { SettingRecord } from '../../../site/panel-registry.ts';
import type { Site } from '../../../site/site.ts';
import { settingSchema } from '../controlpanels/panel-json.ts';

const BATCH = 25;

/** The value of a record as it is stored; that of a secret is empty. */
export const recordValue = (site: Site, { panel, setting }: SettingRecord): unknown =>
  setting.secret ? '' : (panelValues(panel, site)[setting.name] ?? null);

/** GET `@registry`: all settings of the site as records. */
export const getRegistry = defineService({
  name: '@registry',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Lists the settings of all control panels as records, by name.',
  query: Type.Object({
    q: Type.Optional(Type.String({ description: 'What the names begin with.' })),
    b_start: Type.Optional(Type.Integer({ description: 'Records to skip.' })),
    b_size: Type.Optional(Type.Integer({ description: 'Records at once.', default: BATCH })),
  }),
  responses: {
    200: {
      description: 'The records.',
      schema: Type.Object(
        {
          '@id': Type.String({ format: 'uri' }),
          items: Type.Array(
            Type.Object({
              name: Type.String(),
              value: Type.Unknown(),
              schema: Type.Object({ properties: Type.Object({}, { additionalProperties: true }) }),
            }),
          ),
          items_total: Type.Integer(),
        },
        { additionalProperties: true },
      ),
    },
  },
  async run(context) {
    const { kernel, site, base, searchParams } = context;
    const prefix = searchParams.get('q') ?? '';
    const batch = readBatch(searchParams, BATCH);
    const records = kernel.panels.records().filter(({ setting }) => setting.record.startsWith(prefix));
    const url = `${base}/@registry`;
    return ok({
      '@id': resultsAddress(url, searchParams),
      ...batchLinks(url, batch, records.length),
      items: records.slice(batch.start, batch.start + batch.size).map((record) => ({
        name: record.setting.record,
        value: recordValue(site, record),
        schema: { properties: settingSchema(context, record.panel, record.setting) },
      })),
      items_total: records.length,
    });
  },
});
