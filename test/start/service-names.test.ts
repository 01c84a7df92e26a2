import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { assembleWith } from '../../src/app/create-kernel.ts';
import { type Feature, KERNEL_FEATURES } from '../../src/core/services/feature.ts';
import { ok } from '../../src/core/services/response.ts';
import { defineService, type Service } from '../../src/core/services/service.ts';
import { SERVICES } from '../../src/core/services/service-registry.ts';

/** A service of an add-on, which returns nothing of interest. */
const service = (
  name: string,
  more: Pick<Service, 'context'> & Partial<Pick<Service, 'rest' | 'overrides'>>,
): Service =>
  defineService({
    name,
    method: 'GET',
    permission: null,
    summary: 'Says hello.',
    responses: { 200: { description: 'Hello.', schema: Type.Unknown() } },
    run: async () => ok({}),
    ...more,
  });

const start = (...services: Service[]) => assembleWith([{ name: 'hello', services } satisfies Feature]);

it.each([
  ['@search', 'site', ['']],
  ['@search', 'folderish', ['']],
  // A name that the server has at the root alone would be another service everywhere else.
  ['@addons', 'content', ['']],
  ['@controlpanels', 'site', ['mail']],
] as const)('a service %s on %s with the address %j of the server stops the start', (name, context, rest) => {
  expect(() => start(service(name, { context, rest }))).toThrow(
    `The feature "hello" cannot be used: There are two services GET ${name}`,
  );
  expect(() => start(service(name, { context, rest }))).toThrow('take another name');
});

it('a service that says that it overrides goes before that of the server, where it is the more particular one', () => {
  const more = start(service('@search', { context: 'site', overrides: true }));
  const services = more.slots.get(SERVICES);
  const atRoot = services.find('GET', '@search', { site: true, folderish: true }, []);
  const below = services.find('GET', '@search', { site: false, folderish: true }, []);
  expect([atRoot?.summary, below?.summary === 'Says hello.']).toEqual(['Says hello.', false]);
});

it('a service with the very address of one of the server stops the start, also when it says that it overrides', () => {
  expect(() => start(service('@search', { context: 'content', overrides: true }))).toThrow(
    'There are two services GET @search on content.',
  );
});

it('a service that says that it overrides cannot take what the server serves first', () => {
  expect(() => start(service('@addons', { context: 'content', overrides: true }))).toThrow('There are two services');
});

it.each(['admin', 'a@b', '@a/b'])('a service %s, which no request can reach, stops the start', (name) => {
  expect(() => start(service(name, { context: 'site' }))).toThrow(
    `The feature "hello" cannot be used: No request can reach the service GET ${name}: its name must begin with @`,
  );
});

it('a service of an add-on beside those of the server starts', () => {
  const added = service('@controlpanels', { context: 'site', rest: ['mail/extra'] });
  expect(
    start(added, service('@hello', { context: 'content' }))
      .slots.get(KERNEL_FEATURES)
      .at(-1)?.name,
  ).toBe('hello');
});
