import { Type } from 'typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { addressParams } from '../../src/core/services/address-forms.ts';
import { ok } from '../../src/core/services/response.ts';
import {
  AnyObject,
  Batching,
  Changes,
  Choice,
  Instant,
  Nullable,
  OpenObject,
  Text,
  Tokens,
  Words,
} from '../../src/core/services/schemas.ts';
import { defineService, type RequestContext, type Service } from '../../src/core/services/service.ts';
import { ValidationFailed } from '../../src/lib/errors.ts';
import { parseBoolean, parseInteger } from '../../src/lib/schema/parse-text.ts';

const responses = { 200: { description: 'What was understood.', schema: Type.Unknown() } };
const common = {
  name: '@echo',
  method: 'POST',
  context: 'site',
  permission: null,
  summary: 'Echoes.',
  responses,
} as const;

/** The input that `run` receives for a request; the service returns it. */
async function send(
  service: Service,
  { query = '', body = {}, rest = [] as string[] }: { query?: string; body?: object; rest?: string[] },
): Promise<unknown> {
  const parts = {
    searchParams: new URLSearchParams(query),
    body,
    rest,
    params: addressParams(service.rest, rest),
    query: {},
  };
  return (await service.run(parts as unknown as RequestContext)).body;
}

/** The problems of a rejected request, as `field: message`. */
async function problemsOf(service: Service, request: Parameters<typeof send>[1]): Promise<string[]> {
  const error = await send(service, request).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ValidationFailed)) throw new Error(`not refused by a schema: ${error}`);
  return error.problems.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`));
}

/** A value, or the text of one, as old clients send it. `run` gets the value. */
const Lenient = <Value extends boolean | number>(parse: (text: string) => Value | undefined, message: string) =>
  Type.Decode(
    Type.Refine(
      Type.Union([Type.Boolean(), Type.Integer(), Type.String()], { message }),
      (value) => parse(String(value)) !== undefined,
    ),
    (value) => parse(String(value)),
  );

describe('a declared query', () => {
  const service = defineService({
    ...common,
    method: 'GET',
    query: Type.Object({
      size: Type.Integer({ default: 25, minimum: 1 }),
      ratio: Type.Optional(Type.Number()),
      deep: Type.Optional(Type.Boolean({ message: 'must be true or false' })),
      names: Type.Optional(Type.Array(Type.String())),
      ids: Type.Optional(Type.Array(Type.Integer())),
      expand: Type.Optional(Tokens()),
      text: Type.Optional(Type.String()),
      words: Type.Optional(Words({ maxLength: 5, message: 'is too long' })),
      delta: Type.Optional(Type.Union([Type.Literal('top'), Type.Integer()])),
      order: Type.Optional(Choice(['up', 'down'])),
      since: Type.Optional(Instant()),
    }),
    run: async ({ query }) => {
      expectTypeOf(query.size).toEqualTypeOf<number>();
      expectTypeOf(query.deep).toEqualTypeOf<boolean | undefined>();
      expectTypeOf(query.names).toEqualTypeOf<string[] | undefined>();
      expectTypeOf(query.delta).toEqualTypeOf<'top' | number | undefined>();
      expectTypeOf(query.order).toEqualTypeOf<'up' | 'down' | undefined>();
      expectTypeOf(query.since).toEqualTypeOf<Date | undefined>();
      return ok(query);
    },
  });

  it.each([
    ['', { size: 25 }],
    ['size=', { size: 25 }],
    ['size=+7&unknown=1', { size: 7 }],
    ['size=1&size=2', { size: 1 }],
    ['ratio=0.5', { size: 25, ratio: 0.5 }],
    ['deep=on', { size: 25, deep: true }],
    ['deep=FALSE', { size: 25, deep: false }],
    ['names=a&names:list=%20b&names=', { size: 25, names: ['a', 'b'] }],
    ['names=a,b', { size: 25, names: ['a,b'] }],
    ['ids=1&ids=2', { size: 25, ids: [1, 2] }],
    ['expand=a,b&expand=c', { size: 25, expand: ['a', 'b', 'c'] }],
    ['text=%20a%20', { size: 25, text: ' a ' }],
    ['text=', { size: 25, text: '' }],
    ['words=%20a%20', { size: 25, words: 'a' }],
    ['words=%20', { size: 25 }],
    ['delta=top', { size: 25, delta: 'top' }],
    ['delta=-3', { size: 25, delta: -3 }],
    ['order=up', { size: 25, order: 'up' }],
    ['since=2026-05-01', { size: 25, since: new Date('2026-05-01T00:00:00Z') }],
  ])('the query %j is converted and has its defaults', async (query, expected) => {
    expect(await send(service, { query })).toEqual(expected);
  });

  it.each([
    ['size=many', ['size: must be integer']],
    ['size=0&deep=perhaps', ['size: must be >= 1', 'deep: must be true or false']],
    ['ids=1&ids=x', ['ids.1: must be integer']],
    ['words=abcdef', ['words: is too long']],
    ['order=left', ['order: must be one of up, down']],
    ['since=yesterday', ['since: Is not a date and time, such as 2026-05-01T10:00:00Z.']],
  ])('the query %j is refused with its fields', async (query, expected) => {
    expect(await problemsOf(service, { query })).toEqual(expected);
  });

  it('a batch counts numbers out of bounds as the nearest, and refuses others as plone.restapi does', async () => {
    const batch = defineService({
      ...common,
      query: Type.Object(Batching('things', { size: 10, most: 100 })),
      run: async ({ query }) => ok(query),
    });
    expect(await send(batch, { query: 'b_start=-4&b_size=1000' })).toEqual({ b_start: 0, b_size: 100 });
    await expect(send(batch, { query: 'b_size=x&b_start=y' })).rejects.toMatchObject({
      status: 400,
      message: 'Invalid b_start: Not an integer',
    });
  });
});

describe('declared parts of the address', () => {
  it('parts of the address are texts by their names in the forms', async () => {
    const service = defineService({
      ...common,
      rest: ['', '{id}', '{id}/items/{item}'],
      run: async ({ params }) => {
        expectTypeOf(params.id).toEqualTypeOf<string | undefined>();
        expectTypeOf(params.item).toEqualTypeOf<string | undefined>();
        return ok(params);
      },
    });
    expect(await send(service, { rest: [] })).toEqual({});
    expect(await send(service, { rest: ['a', 'items', '7'] })).toEqual({ id: 'a', item: '7' });
  });

  it('parts of the address that every form has are always there, and have the type of their schema', async () => {
    const service = defineService({
      ...common,
      rest: ['{id}/versions/{version}', '{id}/versions/{version}/raw'],
      params: Type.Object({ version: Type.Integer({ minimum: 0 }) }),
      run: async ({ params }) => {
        expectTypeOf(params.id).toEqualTypeOf<string>();
        expectTypeOf(params.version).toEqualTypeOf<number>();
        return ok(params);
      },
    });
    expect(await send(service, { rest: ['a', 'versions', '3'] })).toEqual({ id: 'a', version: 3 });
    expect(await problemsOf(service, { rest: ['a', 'versions', 'x'] })).toEqual(['version: must be integer']);
  });
});

describe('a declared body', () => {
  const Item = Type.Object({ n: Type.Integer({ minimum: 3, message: 'must be 3 or more' }) });
  const service = defineService({
    ...common,
    body: Type.Object({
      name: Type.String({
        message: { required: 'Name it.', maxLength: 'is long', other: 'must be a text' },
        maxLength: 3,
      }),
      timeout: Type.Integer({ default: 600 }),
      options: Type.Object({ force: Type.Boolean({ default: false }) }, { default: { force: false } }),
      items: Type.Optional(Type.Array(Item)),
      tags: Type.Optional(Type.Array(Type.String(), { message: 'must be a list of texts' })),
      expires: Type.Optional(Nullable(Instant())),
      where: Type.Optional(
        Type.Union([Type.String(), Type.Array(Type.String())], { message: 'must be a path or a list' }),
      ),
      either: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
      note: Type.Optional(Text({ maxLength: 5 })),
      even: Type.Optional(
        Type.Refine(
          Type.Integer(),
          (value) => value % 2 === 0,
          (value) => `${value} is odd`,
        ),
      ),
      on: Type.Optional(Lenient((text) => parseBoolean(text), 'must be true or false')),
      count: Type.Optional(Lenient((text) => parseInteger(text), 'must be a whole number')),
      settings: Type.Optional(AnyObject()),
    }),
    run: async ({ body }) => {
      expectTypeOf(body.name).toEqualTypeOf<string>();
      expectTypeOf(body.timeout).toEqualTypeOf<number>();
      expectTypeOf(body.expires).toEqualTypeOf<Date | null | undefined>();
      expectTypeOf(body.on).toEqualTypeOf<boolean | undefined>();
      expectTypeOf(body.count).toEqualTypeOf<number | undefined>();
      expectTypeOf(body.settings).toEqualTypeOf<Record<string, unknown> | undefined>();
      return ok(body);
    },
  });
  const filled = { name: 'a', timeout: 600, options: { force: false } };

  it.each([
    [{ name: 'a' }, filled],
    [{ name: 'a', options: {}, '@id': 'http://a.test', '@type': 'Thing' }, filled],
    [
      { name: 'a', expires: null, items: [{ n: 3 }] },
      { ...filled, expires: null, items: [{ n: 3 }] },
    ],
    [
      { name: 'a', expires: '2026-05-01' },
      { ...filled, expires: new Date('2026-05-01T00:00:00Z') },
    ],
    [
      { name: 'a', on: '0', count: ' 5 ' },
      { ...filled, on: false, count: 5 },
    ],
    [
      { name: 'a', on: 1, count: 5 },
      { ...filled, on: true, count: 5 },
    ],
  ])('the body %j has its defaults, and only what the schema decodes is converted', async (body, expected) => {
    expect(await send(service, { body })).toEqual(expected);
  });

  it.each([
    [{}, ['name: Name it.']],
    [{ name: 5 }, ['name: must be a text']],
    [{ name: 'abcd', timeout: '5' }, ['name: is long', 'timeout: must be integer']],
    [{ name: 'a', options: { force: 'x' } }, ['options.force: must be boolean']],
    [{ name: 'a', items: [{ n: 3 }, { n: 'x' }, {}] }, ['items.1.n: must be 3 or more', 'items.2.n: is required']],
    [{ name: 'a', tags: ['a', 5] }, ['tags: must be a list of texts']],
    [{ name: 'a', expires: 5 }, ['expires: Is not a date and time, such as 2026-05-01T10:00:00Z.']],
    [{ name: 'a', expires: 'x' }, ['expires: Is not a date and time, such as 2026-05-01T10:00:00Z.']],
    [{ name: 'a', where: [5] }, ['where: must be a path or a list']],
    [{ name: 'a', either: true }, ['either: must be string', 'either: must be integer']],
    [{ name: 'a', note: 'e\u0301'.repeat(3) }, ['note: must have at most 5 characters']],
    [{ name: 'a', note: 5 }, ['note: must be a text']],
    [{ name: 'a', note: 'a\u0000' }, ['note: must be well-formed text without U+0000']],
    [{ name: 'a', even: 3 }, ['even: 3 is odd']],
    [{ name: 'a', on: 'maybe', count: 'x' }, ['on: must be true or false', 'count: must be a whole number']],
    [{ name: 'a', settings: [] }, ['settings: must be an object']],
  ])('the body %j is refused with its fields', async (body, expected) => {
    expect(await problemsOf(service, { body })).toEqual(expected);
  });

  it('a body with more wrong members than the validator counts is refused with all of them', async () => {
    const names = Array.from({ length: 15 }, (_, i) => `m${i}`);
    const wide = defineService({
      ...common,
      body: Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()]))),
      run: async () => ok({}),
    });
    const body = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(await problemsOf(wide, { body })).toEqual(names.map((name) => `${name}: must be integer`));
  });

  it('defaults of one body are not shared with that of the next request', async () => {
    const first = await send(service, { body: { name: 'a' } });
    Object.assign(Object(first).options, { force: true });
    expect(await send(service, { body: { name: 'a' } })).toEqual(filled);
  });

  it('codecs in lists, records, unions and parts of a body are decoded', async () => {
    const Slot = Type.Object({ at: Instant() });
    const nested = defineService({
      ...common,
      body: Type.Intersect([
        Type.Object({ slots: Type.Array(Slot), byName: Type.Record(Type.String(), Instant()) }),
        Type.Object({ either: Type.Union([Type.Integer(), Slot]) }),
      ]),
      run: async ({ body }) => {
        expectTypeOf(body.slots).toEqualTypeOf<{ at: Date }[]>();
        expectTypeOf(body.either).toEqualTypeOf<number | { at: Date }>();
        return ok(body);
      },
    });
    const at = '2026-05-01';
    const date = new Date(at);
    expect(await send(nested, { body: { slots: [{ at }], byName: { a: at }, either: { at } } })).toEqual({
      slots: [{ at: date }],
      byName: { a: date },
      either: { at: date },
    });
    const body = { slots: [], byName: JSON.parse('{"__proto__":"2026-05-01"}'), either: 5 };
    expect(Object.entries(Object(await send(nested, { body })).byName)).toEqual([['__proto__', date]]);
  });

  it('an open object keeps its further members as unknown values', async () => {
    const open = defineService({
      ...common,
      body: OpenObject({ title: Type.String() }),
      run: async ({ body }) => {
        expectTypeOf(body.title).toEqualTypeOf<string>();
        expectTypeOf(body.anything).toEqualTypeOf<unknown>();
        return ok(body);
      },
    });
    expect(await send(open, { body: { title: 'a', anything: 1 } })).toEqual({ title: 'a', anything: 1 });
  });

  it('the body of a change requires nothing and is filled with nothing', async () => {
    const change = defineService({
      ...common,
      body: Changes(Type.Object({ name: Type.String({ maxLength: 3 }), timeout: Type.Integer({ default: 600 }) })),
      run: async ({ body }) => {
        expectTypeOf(body.timeout).toEqualTypeOf<number | undefined>();
        return ok(body);
      },
    });
    expect(await send(change, { body: {} })).toEqual({});
    expect(await problemsOf(change, { body: { name: 'abcd' } })).toEqual([
      'name: must not have more than 3 characters',
    ]);
  });
});

describe('a check of the service', () => {
  const service = defineService({
    ...common,
    body: Type.Object({ type: Type.String(), size: Type.Integer() }),
    check: (_context, { body }) => (body.type === 'Page' ? [] : [{ field: 'type', message: 'is not a type here' }]),
    run: async ({ body }) => ok(body),
  });

  it('a check of the service follows the schemas', async () => {
    expect(await send(service, { body: { type: 'Page', size: 1 } })).toEqual({ type: 'Page', size: 1 });
  });

  it('problems of the service stand beside those that schemas found in other members', async () => {
    expect(await problemsOf(service, { body: { type: 'Nothing', size: 'x' } })).toEqual([
      'size: must be integer',
      'type: is not a type here',
    ]);
  });
});

describe('a schema with the keyword reject', () => {
  it('the text of the keyword reject is the message of the response', async () => {
    const service = defineService({
      ...common,
      query: Type.Object({
        search: Type.String({ reject: { required: 'Required query parameter "search" missing.' } }),
      }),
      run: async () => ok({}),
    });
    const refusal = await send(service, {}).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 400, message: 'Required query parameter "search" missing.' });
    expect(refusal).not.toHaveProperty('problems');
  });
});

it('a service without schemas gets the request as it was sent', async () => {
  const service = defineService({
    ...common,
    run: async ({ body, query, params, searchParams }) => ok({ body, query, params, sent: searchParams.get('a') }),
  });
  expect(await send(service, { query: 'a=1', body: { b: 2 } })).toEqual({
    body: { b: 2 },
    query: {},
    params: {},
    sent: '1',
  });
});
