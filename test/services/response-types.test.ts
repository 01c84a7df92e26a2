import { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { expect, expectTypeOf, it } from 'vitest';
import { defineComponent } from '../../src/core/serializer/components.ts';
import { created, noContent, ok, type ResponseDescriptions, type ResultOf } from '../../src/core/services/response.ts';
import { Extensible } from '../../src/core/services/schemas.ts';
import { defineService, type RequestContext } from '../../src/core/services/service.ts';

// `npm run typecheck` reads this file: each error that is expected here has to be one.

const Boat = Type.Object({
  '@type': Type.Literal('boat'),
  masts: Type.Integer(),
  name: Type.Optional(Type.String()),
});
const boat: Static<typeof Boat> = { '@type': 'boat', masts: 2 };
const common = { name: '@boat', method: 'GET', context: 'site', permission: null, summary: 'A boat.' } as const;
const responses = {
  200: { description: 'The boat.', schema: Boat },
  201: { description: 'A new boat.', schema: Type.Object({ id: Type.String() }), headers: {} },
  204: { description: 'No boat.' },
  404: { description: 'There is no such boat.' },
};
const bytes = { 200: { description: 'A picture.', contentType: 'image/png' }, 304: { description: 'The same.' } };

/** The result of a service that does not look at the request. */
const resultOf = (service: { run(context: RequestContext): Promise<unknown> }) =>
  service.run({ params: {}, searchParams: new URLSearchParams(), body: {} } as unknown as RequestContext);

it('a service returns the statuses that it declares, each with its schema', async () => {
  const service = defineService({
    ...common,
    responses,
    async run({ searchParams }) {
      if (searchParams.has('none')) return noContent({ Location: '/harbour' });
      if (searchParams.has('new')) return created({ id: 'a' }, { Location: '/a' });
      return ok({ '@type': 'boat', masts: 3 });
    },
  });
  expect(await resultOf(service)).toEqual({ status: 200, headers: {}, body: { '@type': 'boat', masts: 3 } });
  expectTypeOf<Extract<ResultOf<typeof responses>, { status: 200 }>['body']>().toEqualTypeOf<Static<typeof Boat>>();
  // Errors are thrown: a status without a schema above 399 is no result.
  expectTypeOf<ResultOf<typeof responses>['status']>().toEqualTypeOf<200 | 201 | 204>();
});

it('bytes, redirects and what is not modified are results of their own', async () => {
  const picture = defineService({
    ...common,
    responses: bytes,
    async run({ searchParams }) {
      if (searchParams.has('known')) return { status: 304, headers: { ETag: '"a"' } };
      return { status: 200, contentType: 'image/png', stream: Readable.from(['a']) };
    },
  });
  expect(await resultOf(picture)).toMatchObject({ status: 200, contentType: 'image/png' });
  const moved = defineService({
    ...common,
    responses: { 302: { description: 'Elsewhere.' } },
    run: async () => ({ status: 302, headers: { Location: '/elsewhere' } }),
  });
  expect(await resultOf(moved)).toEqual({ status: 302, headers: { Location: '/elsewhere' } });
  const table = defineService({
    ...common,
    responses: { 200: { description: 'Boats.', schema: Type.Array(Boat), otherType: 'text/csv' } },
    run: async ({ searchParams }) => (searchParams.has('csv') ? { status: 200, text: 'masts' } : ok([boat])),
  });
  expect(await resultOf(table)).toMatchObject({ body: [boat] });
});

it('a member that is wrong, missing or too many does not compile', () => {
  // @ts-expect-error it has no masts
  defineService({ ...common, responses, run: async (_context) => ok({ '@type': 'boat' }) });
  // @ts-expect-error its masts are a number
  defineService({ ...common, responses, run: async (_context) => ok({ '@type': 'boat', masts: '2' }) });
  // @ts-expect-error it is another thing
  defineService({ ...common, responses, run: async (_context) => ok({ '@type': 'ship', masts: 2 }) });
  // @ts-expect-error it has no sails
  defineService({ ...common, responses, run: async (_context) => ok({ '@type': 'boat', masts: 2, sails: 4 }) });
  // @ts-expect-error a list is no boat
  defineService({ ...common, responses, run: async (_context) => ok([boat]) });
  // @ts-expect-error the result of a function that returns any object is no boat
  defineService({ ...common, responses, run: async ({ body }) => ok(body) });
  // @ts-expect-error also where `run` takes no context
  defineService({ ...common, responses, run: async () => ok({ masts: 2 }) });
  // @ts-expect-error 201 has another schema than 200
  defineService({ ...common, responses, run: async (_context) => ({ status: 201, body: boat }) });
  expect(ok<unknown, object>({})).toEqual({ status: 200, headers: {}, body: {} });
});

it('a result that the service does not declare does not compile', () => {
  const { 200: one } = responses;
  // @ts-expect-error 204 is not declared
  defineService({ ...common, responses: { 200: one }, run: async (_context) => noContent() });
  // @ts-expect-error a boat without a schema
  defineService({ ...common, responses: { 200: { description: 'A boat.' } }, run: async (_context) => ok(boat) });
  // @ts-expect-error bytes where JSON is declared
  defineService({ ...common, responses: { 200: one }, run: async (_context) => ({ status: 200, text: 'boat' }) });
  // @ts-expect-error JSON where bytes are declared
  defineService({ ...common, responses: bytes, run: async (_context) => ok(boat) });
  // @ts-expect-error an error is thrown
  defineService({ ...common, responses, run: async (_context) => ({ status: 404 }) });
  const anything: ResponseDescriptions = responses;
  // @ts-expect-error declarations that the compiler does not know type nothing
  defineService({ ...common, responses: anything, run: async (_context) => ok(boat) });
  expect(anything).toBe(responses);
});

it('an object with further members says so', () => {
  const Ship = Extensible({ '@type': Type.Literal('ship') });
  const shown = { 200: { description: 'The ship.', schema: Ship } };
  defineService({ ...common, responses: shown, run: async (_context) => ok({ '@type': 'ship', funnels: 4 }) });
  // @ts-expect-error its own members have their types all the same
  defineService({ ...common, responses: shown, run: async (_context) => ok({ '@type': 'boat', funnels: 4 }) });
  expect(Ship).toMatchObject({ additionalProperties: true });
});

it('a component returns the type of its schema, also at an address of its own', () => {
  const Fleet = Type.Object({ boats: Type.Integer() });
  const fleet = defineComponent({
    name: 'fleet',
    schema: Fleet,
    options: Type.Object({ size: Type.Integer() }),
    expand: async (_context, _resolved, { size }) => ({ boats: size }),
  });
  defineService({
    ...common,
    responses: { 200: { description: 'It.', schema: fleet.schema } },
    run: async (context) => ok(await fleet.expand(context, context.resolved)),
  });
  // @ts-expect-error its boats are a number
  defineComponent({ name: 'fleet', schema: Fleet, expand: async (_context) => ({ boats: '2' }) });
  expect(fleet.schema).toBe(Fleet);
});
