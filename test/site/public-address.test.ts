import { expect, it } from 'vitest';
import { contentAddress, publicAddress } from '../../src/core/configuration/site/public-address.ts';
import { hasPublicAddress } from '../../src/features/email/health.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

describeQuickestEngine('addresses that leave the site', (engine) => {
  const site = useTestSite(engine);

  it('an address that leaves the site has a host: that of the front end, else FRONTEND_URL, else PUBLIC_URL, else of this machine', async () => {
    const config = { port: 8080, publicUrl: undefined, frontendUrl: undefined };
    const here = { config };
    const named = { config: { ...config, publicUrl: 'https://api.example.org' } };
    const fronted = { config: { ...named.config, frontendUrl: 'https://front.example.org' } };
    const before = await site.kernel.sites.current();
    expect([publicAddress(here, before), hasPublicAddress(here, before)]).toEqual(['http://localhost:8080', false]);
    expect([publicAddress(named, before), hasPublicAddress(named, before)]).toEqual(['https://api.example.org', true]);
    expect([publicAddress(fronted, before), hasPublicAddress(fronted, before)]).toEqual([
      'https://front.example.org',
      true,
    ]);
    await site.request('PATCH', '/@controlpanels/site', { json: { frontend_domain: 'https://www.example.org/' } });
    const after = await site.kernel.sites.current();
    expect(publicAddress(fronted, after)).toBe('https://www.example.org');
    expect([publicAddress(named, after), hasPublicAddress(here, after)]).toEqual(['https://www.example.org', true]);
    expect(contentAddress(here, after, '/news/größe & x')).toBe(
      'https://www.example.org/news/gr%C3%B6%C3%9Fe%20%26%20x',
    );
  });
});
