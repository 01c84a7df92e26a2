import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../../src/core/services/openapi/document.ts';
import { describeServices } from '../../src/core/services/openapi/endpoint.ts';
import { type NamedSchemas, publishSchema } from '../../src/core/services/openapi/schemas.ts';
import { noContent } from '../../src/core/services/response.ts';
import { defineService, type Service } from '../../src/core/services/service.ts';
import { ServiceRegistry } from '../../src/core/services/service-registry.ts';
import { member, operationsOf } from './read-document.ts';

const service = (declaration: Partial<Service>): Service => ({
  ...defineService({
    name: '@thing',
    method: 'GET',
    context: 'content',
    permission: 'View',
    summary: 'A thing.',
    responses: { 204: { description: 'Done.' } },
    run: async () => noContent(),
  }),
  responses: { 200: { description: 'The thing.' } },
  ...declaration,
});

const describedAll = (services: Service[]) => documentOf(services, { visible: new Set(services), open: new Set() });
const addresses = (document: unknown) => operationsOf(document).map(({ method, template }) => `${method} ${template}`);
const parametersOf = (document: unknown, template: string) => {
  const found = member(document, 'paths', template, 'get', 'parameters');
  return Array.isArray(found) ? found : [];
};

describe('addresses', () => {
  it('addresses of services are below the root and below content, but those of the site only below the root', () => {
    expect(addresses(describedAll([service({}), service({ name: '@login', context: 'site' })]))).toEqual([
      'GET /@login',
      'GET /@thing',
      'GET /{path}/@thing',
    ]);
  });

  it('addresses that differ only in the names of their parts are one', () => {
    const document = describedAll([service({ rest: ['{id}'] }), service({ method: 'DELETE', rest: ['{name}'] })]);
    expect(addresses(document)).toEqual([
      'GET /@thing/{id}',
      'DELETE /@thing/{id}',
      'GET /{path}/@thing/{id}',
      'DELETE /{path}/@thing/{id}',
    ]);
  });

  it('no two parts of an address have the same name', () => {
    expect(addresses(describedAll([service({ rest: ['{path}'] })]))).toEqual([
      'GET /@thing/{path}',
      'GET /{path}/@thing/{subpath}',
    ]);
  });

  it('addresses of the root describe the service there, and only for callers who may use it', () => {
    const general = service({ summary: 'Of content.' });
    const particular = service({ context: 'site', permission: 'Manage', summary: 'Of the site.' });
    const whole = describedAll([general, particular]);
    expect(member(whole, 'paths', '/@thing', 'get', 'summary')).toBe('Of the site.');
    const part = documentOf([general, particular], { visible: new Set([general]), open: new Set() });
    expect(addresses(part)).toEqual(['GET /{path}/@thing']);
  });

  it('an address that containers and other content share describes both', () => {
    const general = service({ query: Type.Object({ a: Type.Optional(Type.String()) }) });
    const particular = service({
      context: 'folderish',
      summary: 'Of a container.',
      query: Type.Object({ b: Type.Optional(Type.String()) }),
      responses: { 200: { description: 'A list.', schema: Type.Array(Type.String()) }, 202: { description: 'Begun.' } },
    });
    const document = describedAll([general, particular]);
    const operation = member(document, 'paths', '/{path}/@thing', 'get');
    expect(member(operation, 'description')).toContain('On containers: Of a container.');
    expect(parametersOf(document, '/{path}/@thing').map((one) => member(one, 'name'))).toEqual(['path', 'b', 'a']);
    expect(Object.keys(Object(member(operation, 'responses')))).toEqual(expect.arrayContaining(['200', '202', '405']));
    expect(member(operation, 'responses', '200', 'content', 'application/json', 'schema', 'anyOf')).toHaveLength(2);
  });
});

describe('parameters', () => {
  it('an open query has one parameter that stands for all others', () => {
    const query = Type.Object({ q: Type.String({ description: 'Text.' }) }, { additionalProperties: true });
    const parameters = parametersOf(describedAll([service({ query, context: 'site' })]), '/@thing');
    expect(parameters).toMatchObject([
      { name: 'q', in: 'query', required: true, description: 'Text.', schema: { type: 'string' } },
      { in: 'query', explode: true, schema: { type: 'object', additionalProperties: true } },
    ]);
  });

  it('a query of several parts has the parameters of all parts', () => {
    const query = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Integer() })]);
    const parameters = parametersOf(describedAll([service({ query, context: 'site' })]), '/@thing');
    expect(parameters.map((one) => member(one, 'name'))).toEqual(['a', 'b']);
  });
});

describe('answers', () => {
  const responses = (declared: Service['responses']) =>
    member(describedAll([service({ responses: declared, context: 'site' })]), 'paths', '/@thing', 'get', 'responses');

  it('a described response has its media type', () => {
    const found = responses({
      200: { description: 'Bytes.', contentType: 'image/png' },
      201: { description: 'Text.', contentType: 'text/calendar' },
      202: { description: 'JSON.' },
      204: { description: 'Nothing.' },
      304: { description: 'Nothing.' },
    });
    expect(member(found, '200', 'content')).toEqual({ 'image/png': {} });
    expect(member(found, '201', 'content')).toEqual({ 'text/calendar': { schema: { type: 'string' } } });
    expect(member(found, '202', 'content')).toEqual({ 'application/json': { schema: {} } });
    expect(member(found, '204', 'content')).toBeUndefined();
    expect(member(found, '304', 'content')).toBeUndefined();
  });

  it('responses of the service itself come before shared ones', () => {
    const found = responses({ 200: { description: 'Done.' }, 403: { description: 'Not on Sundays.' } });
    expect(member(found, '403', 'description')).toBe('Not on Sundays.');
    expect(member(found, '403', 'content', 'application/json', 'schema', '$ref')).toBe('#/components/schemas/Error');
    expect(member(found, '401', '$ref')).toBe('#/components/responses/Unauthorized');
  });
});

describe('schemas', () => {
  it('a named schema is once in the document, and a different one of the same name is inline', () => {
    const named: NamedSchemas = new Map();
    const first = Type.Object({ a: Type.String() }, { $id: 'Thing' });
    const second = Type.Object({ b: Type.String() }, { $id: 'Thing' });
    expect(publishSchema([first, first, second], named)).toEqual([
      { $ref: '#/components/schemas/Thing' },
      { $ref: '#/components/schemas/Thing' },
      { type: 'object', required: ['b'], properties: { b: { type: 'string' } } },
    ]);
    expect([...named.keys()]).toEqual(['Thing']);
  });

  it('schemas name the members that a client must send, and do not change data', () => {
    const body = Type.Object(
      {
        on: Type.Boolean(),
        x: Type.Optional(Type.String({ message: 'must be a text' })),
        filled: Type.Integer({ default: 1 }),
      },
      { examples: [{ on: true, $id: 'Thing', '~x': 1 }] },
    );
    expect(publishSchema(body, new Map())).toEqual({
      type: 'object',
      required: ['on'],
      properties: { on: { type: 'boolean' }, x: { type: 'string' }, filled: { type: 'integer', default: 1 } },
      examples: [{ on: true, $id: 'Thing', '~x': 1 }],
    });
  });
});

describe('documents in memory', () => {
  const registryOf = (...services: Service[]): ServiceRegistry => {
    const registry = new ServiceRegistry();
    for (const one of services) registry.register(one);
    return registry;
  };
  const everybody = () => true;
  const nobody = () => false;

  it('an OpenAPI document is built once for the same rights, and never used for others', () => {
    const registry = registryOf(service({}), service({ name: '@other', context: 'site' }));
    const whole = describeServices(registry, everybody, nobody);
    expect(describeServices(registry, everybody, nobody)).toBe(whole);
    expect(addresses(describeServices(registry, ({ name }) => name === '@other', nobody))).toEqual(['GET /@other']);
    const open = describeServices(registry, everybody, everybody);
    expect(member(open, 'paths', '/@other', 'get', 'security')).toContainEqual({});
    expect(member(whole, 'paths', '/@other', 'get', 'security')).not.toContainEqual({});
  });

  it('an OpenAPI document has services that are registered later', () => {
    const registry = registryOf(service({}));
    describeServices(registry, everybody, nobody);
    registry.register(service({ name: '@late', context: 'site' }));
    expect(addresses(describeServices(registry, everybody, nobody))).toContain('GET /@late');
  });

  it('the least recently used OpenAPI document is removed from memory', () => {
    const services = Array.from({ length: 40 }, (_, i) => service({ name: `@s${i}`, context: 'site' }));
    const registry = registryOf(...services);
    const only = (i: number) => describeServices(registry, (one) => one === services[i], nobody);
    const [first, second] = [only(0), only(1)];
    for (let i = 2; i < 32; i += 1) only(i);
    expect(only(0)).toBe(first);
    only(32);
    expect(only(0)).toBe(first);
    expect(only(1)).not.toBe(second);
  });
});
