import { Type } from 'typebox';
import { NotFound } from '../../../lib/errors.ts';
import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, ok } from '../../../services/service.ts';
import { recordValue } from './get-registry.ts';

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
  async run({ kernel, site, rest: [name = ''] }) {
    const record = kernel.panels.record(name);
    if (!record) throw new NotFound(`/@registry/${name}`);
    return ok(recordValue(site, record));
  },
});
