import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { ResponseCheck } from '../../src/services/check-response.ts';
import { defineService, ok } from '../../src/services/service.ts';
import { watchResponses } from '../support/watch-responses.ts';

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
  run: async () => ok({}),
});

it('a response that fits its declaration has no problems, as JSON shows it', () => {
  const check = new ResponseCheck();
  expect(check.problems(service, ok({ id: 'a', at: new Date(0), more: undefined }))).toEqual([]);
  expect(check.problems(service, { status: 204 })).toEqual([]);
  expect(check.problems(service, { status: 404, body: { any: 'error' } })).toEqual([]);
});

it('a response that differs from its declaration is told with its place', () => {
  const check = new ResponseCheck();
  expect(check.problems(service, ok({ id: 5 }))).toEqual(['200: /id must be string']);
  expect(check.problems(service, ok([]))).toEqual(['200: the body must be object']);
  expect(check.problems(service, { status: 201, body: {} })).toEqual(['does not declare the status 201']);
});

it('a test site fails its tests when a response differed from its declaration', () => {
  const responses = watchResponses();
  responses.onResponse(service, ok({ id: 'a' }));
  expect(() => responses.requireDeclared()).not.toThrow();
  responses.onResponse(service, ok({ id: 5 }));
  expect(() => responses.requireDeclared()).toThrow('GET @thing: 200: /id must be string');
});
