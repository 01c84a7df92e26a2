import { Type } from 'typebox';
import { has } from '../../../content/permissions.ts';
import { defineService } from '../../../services/service.ts';
import { HEALTH_JSON, healthResponse } from './health-answer.ts';

const Status = Type.Union([Type.Literal('pass'), Type.Literal('warn'), Type.Literal('fail')]);
const Check = Type.Object({
  componentType: Type.String(),
  observedValue: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  observedUnit: Type.Optional(Type.String()),
  status: Status,
  time: Type.String({ format: 'date-time' }),
  output: Type.Optional(Type.String({ description: 'What is wrong; for managers only.' })),
});
const HealthBody = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  status: Status,
  version: Type.Optional(Type.String({ description: 'Version of the program; for managers only.' })),
  checks: Type.Record(Type.String(), Type.Array(Check)),
});

/** GET `@health`: whether the process can do its work, for monitors and load balancers. */
export const getHealth = defineService({
  name: '@health',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  summary: 'Whether the server can do its work, with the state of everything that it needs.',
  responses: {
    200: {
      description: 'It can; `warn` says that something needs attention.',
      schema: HealthBody,
      contentType: HEALTH_JSON,
    },
    503: { description: 'It cannot: a check failed.', schema: HealthBody, contentType: HEALTH_JSON },
  },
  answerEarly: (kernel, base) => healthResponse(kernel, base, { details: false }),
  run: ({ kernel, base, site, caller, resolved }) =>
    healthResponse(kernel, base, { details: has(site, caller, resolved, 'Overview control panel') }),
});
