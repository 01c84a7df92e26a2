import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { tagOf } from '../../src/core/services/openapi/operations.ts';
import { publishSchema } from '../../src/core/services/openapi/schemas.ts';
import type { Service } from '../../src/core/services/service.ts';
import { isJsonObject } from '../../src/lib/json-object.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { PartCheck } from '../../src/lib/schema/check-part.ts';
import { registries, services } from '../support/registries.ts';

const labelOf = ({ method, name, context, rest = [] }: Service): string =>
  [method, name || '(content)', context, ...rest].join(' ');
const labels = (wrong: (service: Service) => boolean): string[] => services.filter(wrong).map(labelOf);

/** Services that change something and take no body, because the address says everything. */
const WITHOUT_BODY = new Set([
  'POST @proposals {id}/withdraw',
  'POST @releases {id}/check',
  'POST @releases {id}/undo',
  'POST @login-renew',
  'POST @logout',
  'PATCH @lock',
  'POST @workingcopy',
  'PATCH @workingcopy',
  'POST @addons {id}/install',
  'POST @addons {id}/import/{profile}',
]);

/** Headers that OpenAPI describes elsewhere and forbids as parameters. */
const FORBIDDEN_HEADERS = new Set(['accept', 'authorization', 'content-type']);

/** Keywords of JSON Schema that declarations use, and those of `core/services/schemas.ts`. */
const KEYWORDS = new Set(
  (
    'type properties required additionalProperties patternProperties propertyNames minProperties maxProperties items ' +
    'minItems maxItems uniqueItems contains enum const anyOf allOf oneOf not if then else minimum maximum exclusiveMinimum ' +
    'exclusiveMaximum multipleOf minLength maxLength pattern format default description examples title $id $ref $defs ' +
    'message reject trim commas'
  ).split(' '),
);

/** The keywords of a schema and of all schemas in it. */
function keywordsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsIn);
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (['const', 'default', 'enum', 'examples', 'required', 'message', 'reject'].includes(keyword)) return [keyword];
    const named = ['properties', 'patternProperties', '$defs'].includes(keyword) && isJsonObject(value);
    return [keyword, ...(named ? Object.values(value) : [value]).flatMap(keywordsIn)];
  });
}

/** Groups of services that are not named after a service. */
const GROUPS = ['dexterity-types'];

describe('every service', () => {
  it('every service has a summary of one or more sentences on one line', () => {
    expect(labels(({ summary }) => !/^[A-Z"`].*[^\s.]\.$/.test(summary) || summary.includes('\n'))).toEqual([]);
  });

  it('every service describes its responses', () => {
    const succeeds = (status: string): boolean => Number(status) >= 200 && Number(status) < 400;
    expect(labels(({ responses }) => !Object.keys(responses).some(succeeds))).toEqual([]);
    expect(
      labels(({ responses }) => Object.values(responses).some(({ description }) => !/\.$/.test(description))),
    ).toEqual([]);
  });

  it('every service needs only permissions that some role has on a new site', () => {
    const known: unknown = JSON.parse(
      readFileSync(join(packageFolder('profiles'), 'default', 'permissions.json'), 'utf8'),
    );
    const names = { ...registries.permissions, ...(isJsonObject(known) ? known : {}) };
    expect(labels(({ permission }) => permission !== null && !Object.hasOwn(names, permission))).toEqual([]);
  });

  it('every service that changes something declares its body, or is known to take none', () => {
    const writes = new Set(['POST', 'PATCH', 'PUT']);
    const known = ({ method, name, rest = [] }: Service): boolean =>
      WITHOUT_BODY.has(`${method} ${name}`) || WITHOUT_BODY.has([method, name, ...rest].join(' '));
    // The body of one that reads it by itself is of a media type.
    const declares = ({ body, streams }: Service): boolean => body !== undefined || streams !== undefined;
    expect(labels((service) => writes.has(service.method) && !declares(service) && !known(service))).toEqual([]);
    expect(labels((service) => service.body !== undefined && known(service))).toEqual([]);
    expect(labels(({ method, body }) => method === 'GET' && body !== undefined)).toEqual([]);
  });

  it('every service is in a group that is named after a service', () => {
    const groups = services.filter(({ tag }) => tag === undefined).map(tagOf);
    const known = new Set([...groups, ...GROUPS]);
    expect(labels((service) => !known.has(tagOf(service)))).toEqual([]);
  });

  it('every service names each part of its address once', () => {
    const twice = (form: string): boolean => {
      const names = form.match(/\{\w+\}/g) ?? [];
      return new Set(names).size < names.length;
    };
    expect(labels(({ rest = [] }) => rest.some(twice))).toEqual([]);
  });

  it('every service uses only keywords in its schemas that the check of requests knows', () => {
    const strange = ({ params, query, body }: Service): string[] =>
      [params, query, body].flatMap(keywordsIn).filter((keyword) => !KEYWORDS.has(keyword));
    expect(services.flatMap((service) => strange(service).map((keyword) => `${labelOf(service)}: ${keyword}`))).toEqual(
      [],
    );
  });

  it('every service describes the parts of its address that have a schema, and no others', () => {
    const partsOf = ({ rest = [] }: Service): string[] => rest.flatMap((form) => form.match(/(?<=\{)\w+(?=\})/g) ?? []);
    const declared = ({ params }: Service): string[] =>
      isJsonObject(params) && isJsonObject(params.properties) ? Object.keys(params.properties) : [];
    expect(labels((service) => declared(service).some((name) => !partsOf(service).includes(name)))).toEqual([]);
  });

  it('every service describes only headers that OpenAPI allows', () => {
    const forbidden = (name: string): boolean => FORBIDDEN_HEADERS.has(name.toLowerCase());
    expect(labels(({ headers = {} }) => Object.keys(headers).some(forbidden))).toEqual([]);
  });

  it('every service describes each parameter of its query', () => {
    const propertiesOf = ({ query }: Service): unknown[] => {
      return isJsonObject(query) && isJsonObject(query.properties) ? Object.values(query.properties) : [];
    };
    const described = (property: unknown): boolean =>
      isJsonObject(property) && typeof property.description === 'string';
    expect(labels((service) => !propertiesOf(service).every(described))).toEqual([]);
  });
});

/** The examples in a schema and all schemas in it, each with its schema. */
function examplesIn(schema: unknown): { schema: object; example: unknown }[] {
  if (Array.isArray(schema)) return schema.flatMap(examplesIn);
  if (!isJsonObject(schema)) return [];
  const own = Array.isArray(schema.examples) ? schema.examples.map((example) => ({ schema, example })) : [];
  const below = Object.entries(schema).filter(([keyword]) => keyword !== 'examples');
  return [...own, ...below.flatMap(([, value]) => examplesIn(value))];
}

describe('every example', () => {
  const bodies = services.flatMap((service) => (service.body ? [{ service, body: service.body }] : []));

  it('every example of a body passes the validation of requests', () => {
    const failing = bodies.flatMap(({ service, body }) =>
      examplesIn(body)
        .filter(({ schema }) => schema === body)
        .filter(({ example }) => 'problems' in new PartCheck(body, { others: 'refused' }).check({ ...Object(example) }))
        .map(({ example }) => `${labelOf(service)}: ${JSON.stringify(example)}`),
    );
    expect(failing).toEqual([]);
  });

  it('every example fits its schema in the description', () => {
    const published = services
      .flatMap(({ body, query }) => [body, query])
      .map((schema) => publishSchema(schema, new Map()));
    const examples = published.flatMap(examplesIn);
    expect(examples.length).toBeGreaterThan(5);
    expect(
      examples.filter(({ schema, example }) => !Compile(schema).Check(example)).map(({ example }) => example),
    ).toEqual([]);
  });
});
