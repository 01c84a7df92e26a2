import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { watchResponses } from '../../src/app/watch-responses.ts';
import { ResponseCheck } from '../../src/core/services/check-response.ts';
import { ContentRepresentation } from '../../src/core/services/content/content-object.ts';
import { noContent, ok } from '../../src/core/services/response.ts';
import { defineService } from '../../src/core/services/service.ts';

const service = defineService({
  name: '@thing',
  method: 'GET',
  context: 'site',
  permission: null,
  summary: 'A thing.',
  responses: {
    200: { description: 'It.', schema: Type.Object({ id: Type.String(), at: Type.Optional(Type.String()) }) },
    204: { description: 'Nothing.' },
  },
  run: async () => noContent(),
});

it('a response that fits its declaration has no problems, as JSON shows it', () => {
  const check = new ResponseCheck();
  expect(check.problems(service, ok({ id: 'a', at: new Date(0), more: undefined }))).toEqual([]);
  expect(check.problems(service, { status: 204 })).toEqual([]);
  expect(check.problems(service, { status: 404, body: { any: 'error' } })).toEqual([]);
});

it('a response that differs from its declaration is reported with the place', () => {
  const check = new ResponseCheck();
  expect(check.problems(service, ok({ id: 5 }))).toEqual(['200: /id must be string']);
  expect(check.problems(service, ok([]))).toEqual(['200: the body must be object']);
  expect(check.problems(service, { status: 201, body: {} })).toEqual(['does not declare the status 201']);
});

it('content that differs from the fields of its type is reported with the field', () => {
  const content = {
    ...{ '@id': 'http://localhost/a', '@type': 'Link', type_title: 'Link', id: 'a', UID: 'a', owner: 'admin' },
    ...{ created: '2026-05-01T10:00:00Z', modified: '2026-05-01T10:00:00Z', review_state: null, layout: 'view' },
    ...{ is_folderish: false, lock: { locked: false, stealable: true }, '@components': {}, remoteUrl: 5 },
  };
  const declared = { ...service, responses: { 200: { description: 'It.', schema: ContentRepresentation } } };
  const check = new ResponseCheck();
  expect(check.problems(declared, ok(content))).toContain('200: /remoteUrl must be string');
  expect(check.problems(declared, ok({ ...content, '@type': 'Recipe' }))).toEqual([]);
});

it('a test site fails its tests when a response differed from its declaration', () => {
  const responses = watchResponses(async ({ text }) => (text.includes('job') ? ['job'] : []));
  responses.onResponse(service, ok({ id: 'a' }));
  expect(() => responses.requireDeclared()).not.toThrow();
  responses.onResponse(service, ok({ id: 5 }));
  expect(() => responses.requireDeclared()).toThrow('GET @thing: 200: /id must be string');
});

it('a test site fails its tests when what may be kept is made of a table whose changes nothing notes', async () => {
  const responses = watchResponses(async ({ text }) => (text.includes('job') ? ['job'] : []));
  await responses.onUnwatched(service, [{ text: 'select version from thing' }]);
  expect(() => responses.requireDeclared()).not.toThrow();
  await responses.onUnwatched(service, [{ text: 'select id from job' }]);
  expect(() => responses.requireDeclared()).toThrow('GET @thing: is cacheable, but reads the table "job"');
});
