import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { corePanels } from '../../src/core/configuration/panels/core-panels.ts';
import { type Panel, PanelRegistry } from '../../src/core/configuration/panels/panel.ts';
import { ok } from '../../src/core/services/response.ts';
import { defineService } from '../../src/core/services/service.ts';
import { ServiceRegistry } from '../../src/core/services/service-registry.ts';
import { quickestEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const FLEET: Panel = {
  id: 'fleet',
  title: 'Fleet',
  group: 'Content',
  settings: [],
  searchableText: ({ types }) => [`${types.size} types`],
};
const service = (method: 'GET' | 'DELETE', rest: string) =>
  defineService({
    name: '@controlpanels',
    method,
    context: 'site',
    permission: 'Overview control panel',
    summary: 'Ships.',
    rest: [rest],
    overrides: true,
    responses: { 200: { description: 'A ship.', schema: Type.Unknown() } },
    run: async (call) => ok({ rest: call.rest, answeredBy: rest }),
  });

describe('a panel with services of its own', () => {
  const site = useTestSite(quickestEngine());

  it('a panel with its own services is listed, and its services take precedence over those of all panels', async () => {
    site.kernel.panels.register(FLEET);
    for (const rest of ['fleet', 'fleet/{ship}', 'fleet/{ship}/deck/{deck}'])
      site.server.services.register(service('GET', rest));
    site.server.services.register(service('DELETE', 'fleet/{ship}'));
    const get = async (path: string) => (await site.request('GET', `/@controlpanels${path}`)).body;
    expect((await get('')).find(({ title }: Json) => title === 'Fleet')).toMatchObject({
      title: 'Fleet',
      searchable_text: ['Fleet', 'Content', expect.any(String)],
    });
    expect((await get('/fleet')).answeredBy).toBe('fleet');
    expect(await get('/fleet/aurora')).toEqual({ rest: ['fleet', 'aurora'], answeredBy: 'fleet/{ship}' });
    expect((await get('/fleet/aurora/deck/3')).answeredBy).toBe('fleet/{ship}/deck/{deck}');
    expect((await get('/site')).title).toBe('Site');
    expect((await site.request('DELETE', '/@controlpanels/fleet/aurora')).status).toBe(200);
    expect((await site.request('DELETE', '/@controlpanels/site/aurora')).status).toBe(404);
    expect((await site.request('GET', '/@controlpanels/fleet/aurora', { as: 'anonymous' })).status).toBe(401);
  });
});

describe('two of one name', () => {
  it('a second service, panel or record of the same name is rejected', () => {
    const services = new ServiceRegistry();
    services.register(service('GET', '{panel}/a'));
    services.register(service('GET', 'fleet/{ship}'));
    expect(() => services.register(service('GET', '{other}/a'))).toThrow('two services');
    expect(services.find('GET', '@controlpanels', { site: true, folderish: true }, ['fleet', 'a'])?.rest).toEqual([
      'fleet/{ship}',
    ]);
    const panels = new PanelRegistry(corePanels);
    const [first] = corePanels;
    if (!first) throw new Error('There are no panels');
    expect(() => panels.register(first)).toThrow('two control panels');
    expect(() => panels.register({ ...first, id: 'other' })).toThrow('two settings');
  });
});
