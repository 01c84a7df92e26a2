import { Type } from 'typebox';
import { defineService, ok, schemas } from '#core';
import { FIGURE_HISTORY, MAX_MINUTES } from './figure-history.ts';

const Measured = (description: string) => schemas.Nullable(Type.Number(), { description });

/** The figures of one minute in responses. */
const MinuteBody = Type.Object({
  time: Type.String({ format: 'date-time', description: 'The end of the minute.' }),
  requests: Type.Integer(),
  failed: Type.Integer({ description: 'Requests with a status of 500 or more.' }),
  median: Measured('Milliseconds of half of the requests, at most; null without requests.'),
  slow: Measured('Milliseconds of 95 of 100 requests, at most.'),
  cached: Measured('Share of responses and rows that came from a cache, from 0 to 1.'),
  waiting: Measured('Pieces of work that wait in the whole site; null while the database does not respond.'),
  stored: Measured('Bytes of the database.'),
});

/** GET `@figures`: the figures of the last hours. */
export const getFigures = defineService({
  name: '@figures',
  method: 'GET',
  context: 'site',
  permission: 'Overview control panel',
  summary: `Figures of the last ${MAX_MINUTES} minutes, minute by minute, of the process that responds.`,
  responses: {
    200: {
      description: 'The minutes, the oldest first; none in the first minute of a process.',
      schema: Type.Object({ '@id': schemas.Address, items: Type.Array(MinuteBody, { maxItems: MAX_MINUTES }) }),
    },
  },
  async run({ kernel, base }) {
    const minutes = kernel.slots.get(FIGURE_HISTORY).minutes();
    return ok({
      '@id': `${base}/@figures`,
      items: minutes.map(({ time, ...figures }) => ({ time: time.toISOString(), ...figures })),
    });
  },
});
