import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/core/services/service.ts';
import { isJsonObject, type JsonObject } from '../../src/lib/json-object.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { member, operationsOf, problemsOf, resolved, responseSchema } from './read-document.ts';

let site: TestSite;
let forManager: JsonObject;
let forAnonymous: JsonObject;

beforeAll(async () => {
  site = await startTestSite(undefined, { environment: { TRUST_PROXY: 'loopback' } });
  forManager = (await site.request('GET', '/@openapi')).body;
  forAnonymous = (await site.request('GET', '/@openapi', { as: 'anonymous' })).body;
});
afterAll(() => site.close());

const json = (...names: string[]): JsonObject => JSON.parse(readFileSync(join(...names), 'utf8'));

/** The shape of an address: its parts without their names. */
const shapeOf = (template: string): string => template.replace(/\{\w+\}/g, '{}');

/** The address that the document must have for a service, computed independently of the tested code. */
function addressesOf({ method, name, context, rest = [''] }: Service): string[] {
  const before = context === 'site' ? '' : '/{}';
  return rest.map((form) => `${method} ${shapeOf(`${before}${name && `/${name}`}${form && `/${form}`}`)}`);
}

const addressesIn = (document: unknown): Set<string> =>
  new Set(operationsOf(document).map(({ method, template }) => `${method} ${shapeOf(template)}`));

const anonymousMay = ({ permission }: Service): boolean => {
  const roles =
    permission === null ? ['Anonymous'] : json(packageFolder('profiles'), 'default', 'permissions.json')[permission];
  return Array.isArray(roles) && roles.includes('Anonymous');
};

describe('the description of the API', () => {
  it('the description is a valid OpenAPI 3.1 document, for a Manager and for Anonymous', async () => {
    for (const document of [forManager, forAnonymous]) {
      const validator = new Validator();
      // The validator modifies its argument.
      expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
      expect(validator.version).toBe('3.1');
    }
  });

  it('the description for a Manager has every registered service', () => {
    const described = addressesIn(forManager);
    const missing = site.server.services
      .all()
      .flatMap(addressesOf)
      .filter((address) => !described.has(address));
    expect(missing).toEqual([]);
  });

  it('the description for Anonymous has the public services and no others', () => {
    const services = site.server.services.all();
    const described = addressesIn(forAnonymous);
    const wanted = new Set(services.filter(anonymousMay).flatMap(addressesOf));
    expect([...wanted].filter((address) => !described.has(address))).toEqual([]);
    const hidden = services.filter((service) => !anonymousMay(service)).flatMap(addressesOf);
    expect(hidden).toContain('POST /@upgrade');
    expect(hidden.filter((address) => described.has(address) && !wanted.has(address))).toEqual([]);
  });

  it('the description names each operation once, and with the same name for everybody', () => {
    const ids = operationsOf(forManager).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const named = (document: unknown) =>
      new Map(
        operationsOf(document).map(({ method, template, operation }) => [
          `${method} ${template}`,
          operation.operationId,
        ]),
      );
    const known = named(forManager);
    for (const [address, id] of named(forAnonymous)) expect(known.get(address)).toBe(id);
  });

  it('the description has the address of the site for the client, and the version of the program', async () => {
    expect(forManager.servers).toEqual([{ url: site.url }]);
    const { body } = await site.request('GET', '/VirtualHostBase/https/example.org/VirtualHostRoot/_vh_api/@openapi');
    expect(body.servers).toEqual([{ url: 'https://example.org/api' }]);
    expect(member(forManager, 'info', 'version')).toBe(json(packageFolder('package.json')).version);
  });

  it('the description has the operations in operations.txt', async () => {
    const lines = operationsOf(forManager).map(({ method, template, operation }) => {
      const statuses = Object.keys(resolvedRecord(operation.responses)).join(' ');
      return `${method} ${template} ${operation.operationId} [${accessOf(operation)}] ${statuses}`;
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('operations.txt');
  });
});

const resolvedRecord = (value: unknown): JsonObject => {
  const whole = resolved(forManager, value);
  return isJsonObject(whole) ? whole : {};
};
const securityOf = ({ security }: JsonObject): unknown[] => (Array.isArray(security) ? security : []);
/** Says if an operation can be called without credentials. */
const takesNobody = (operation: JsonObject): boolean =>
  securityOf(operation).length === 0 ||
  securityOf(operation).some((one) => isJsonObject(one) && Object.keys(one).length === 0);
const accessOf = (operation: JsonObject): string =>
  securityOf(operation).length === 0 ? 'public' : takesNobody(operation) ? 'optional' : 'credentials';

describe('an operation', () => {
  const operation = (template: string, method: string) => resolvedRecord(member(forManager, 'paths', template, method));
  const parameter = (template: string, method: string, name: string) => {
    const { parameters } = operation(template, method);
    return Array.isArray(parameters) ? parameters.find((one) => member(one, 'name') === name) : undefined;
  };

  it('a described operation needs credentials where Anonymous may not call it', () => {
    expect(operation('/@login', 'post').security).toEqual([]);
    expect(operation('/@login-renew', 'post').security).toEqual([{ basic: [] }, { bearer: [] }]);
    expect(operation('/', 'get').security).toEqual([{}, { basic: [] }, { bearer: [] }]);
    expect(operation('/', 'post').security).toEqual([{ basic: [] }, { bearer: [] }]);
  });

  it('a described operation has its path, query and header parameters, and lists as repeated ones', () => {
    expect(parameter('/{path}/@lock', 'get', 'path')).toMatchObject({ in: 'path', required: true });
    expect(parameter('/@lock', 'get', 'path')).toBeUndefined();
    expect(parameter('/{path}', 'get', 'b_size')).toMatchObject({ in: 'query', schema: { type: 'integer' } });
    expect(parameter('/{path}', 'get', 'metadata_fields')).toMatchObject({ explode: true, schema: { type: 'array' } });
    expect(parameter('/{path}', 'patch', 'Lock-Token')).toMatchObject({ in: 'header' });
    expect(parameter('/{path}', 'patch', 'Prefer')).toMatchObject({ in: 'header' });
    expect(parameter('/{path}/@workflow/{transition}', 'post', 'transition')).toMatchObject({
      in: 'path',
      required: true,
    });
  });

  it('a described operation has its body with the required members', () => {
    const body = operation('/@login', 'post').requestBody;
    const schema = member(body, 'content', 'application/json', 'schema');
    expect(member(body, 'required')).toBe(true);
    expect(member(schema, 'required')).toEqual(['login', 'password']);
    expect(member(schema, 'properties', 'login', 'type')).toBe('string');
    expect(member(operation('/{path}/@lock', 'delete').requestBody, 'required')).toBe(false);
  });

  it('a described operation has the errors that it can return and no others', () => {
    const statuses = (template: string, method: string) =>
      Object.keys(resolvedRecord(operation(template, method).responses)).filter((status) => Number(status) >= 400);
    expect(statuses('/@login', 'get')).toEqual(['500', '503']);
    expect(statuses('/@login', 'post')).toEqual(['400', '401', '408', '413', '415', '429', '500', '503', '507']);
    expect(statuses('/@lock', 'get')).toEqual(['401', '403', '429', '500', '503']);
    expect(statuses('/{path}/@lock', 'get')).toEqual(['401', '403', '404', '429', '500', '503']);
    expect(statuses('/{path}', 'post')).toEqual([
      '400',
      '401',
      '403',
      '404',
      '405',
      '408',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
      '507',
    ]);
  });
});

describe('the responses of the document', () => {
  const check = async (
    method: string,
    path: string,
    [template, status]: [string, number],
    options: Parameters<TestSite['request']>[2],
  ) => {
    const answer = await site.request(method, path, options);
    const declared = member(forManager, 'paths', template, method.toLowerCase(), 'responses', String(status));
    expect({ status: answer.status, declared: declared !== undefined }, answer.text).toEqual({
      status,
      declared: true,
    });
    if (answer.body !== undefined) {
      expect(
        problemsOf(forManager, responseSchema(forManager, [template, method.toLowerCase()], status), answer.body),
      ).toEqual([]);
    }
    return answer;
  };

  it('responses for content, locks, transitions and tokens are as described', async () => {
    const created = await check('POST', '/', ['/', 201], { json: { '@type': 'Page', title: 'Described' } });
    expect(created.headers.get('location')).toBe(created.body['@id']);
    await check('GET', '/', ['/', 200], {});
    await check('GET', '/described', ['/{path}', 200], {});
    await check('POST', '/described/@lock', ['/{path}/@lock', 200], { json: { timeout: 60 } });
    await check('DELETE', '/described/@lock', ['/{path}/@lock', 200], { json: {} });
    await check('PATCH', '/described', ['/{path}', 200], {
      json: { title: 'Anew' },
      headers: { Prefer: 'return=representation' },
    });
    await check('PATCH', '/described', ['/{path}', 204], { json: { title: 'Described' } });
    await check('POST', '/described/@workflow/publish', ['/{path}/@workflow/{transition}', 200], { json: {} });
    await check('POST', '/@login', ['/@login', 200], { as: 'anonymous', json: site.admin });
    await check('GET', '/@upgrade', ['/@upgrade', 200], {});
    await check('GET', '/@openapi', ['/@openapi', 200], {});
    await check('DELETE', '/described', ['/{path}', 204], {});
  });

  it('all errors have the described form', async () => {
    const errors = [
      await check('POST', '/', ['/', 400], { json: { '@type': 'Page' } }),
      await check('POST', '/', ['/', 400], { body: '{', headers: { 'Content-Type': 'application/json' } }),
      await check('POST', '/', ['/', 401], { as: 'anonymous', json: { '@type': 'Page', title: 'No' } }),
      await check('POST', '/@login', ['/@login', 401], {
        as: 'anonymous',
        json: { login: 'admin', password: 'wrong' },
      }),
      await check('GET', '/nowhere', ['/{path}', 404], {}),
      await check('DELETE', '/', ['/', 405], {}),
      await check('POST', '/@login', ['/@login', 413], { as: 'anonymous', json: { login: 'x'.repeat(1024 * 1024) } }),
      await check('POST', '/', ['/', 415], { body: '<a/>', headers: { 'Content-Type': 'text/xml' } }),
    ];
    const known = Object.keys(member(forManager, 'components', 'schemas', 'Error', 'properties') ?? {});
    for (const { body, text } of errors)
      expect(
        Object.keys(body).filter((name) => !known.includes(name)),
        text,
      ).toEqual([]);
  });
});
