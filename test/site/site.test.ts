import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSiteLogo } from '../../src/core/configuration/panels/site.ts';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { type ComponentSite, startComponentSite } from '../components/component-site.ts';
import { quickestEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

const logoOf = (filename: string, bytes: Uint8Array): string =>
  `filenameb64:${Buffer.from(filename).toString('base64')};datab64:${Buffer.from(bytes).toString('base64')}`;

let site: ComponentSite;
beforeAll(async () => {
  site = await startComponentSite(quickestEngine());
});
afterAll(() => site?.close());

const info = () => site.read('/@site', { as: 'anonymous' });

describe('@site', () => {
  it('@site is public and has what a front end needs', async () => {
    expect(await info()).toMatchObject({
      '@id': `${site.url}/@site`,
      'plone.site_title': 'Canopy',
      'plone.site_logo': null,
      'plone.robots_txt': expect.stringContaining('User-agent: *'),
      'plone.default_language': 'en',
      'plone.available_languages': ['en', 'nl', 'sv'],
      'plone.portal_timezone': 'UTC',
      'plone.allowed_sizes': expect.arrayContaining(['large 800:65536']),
      'plone.image_scales': { large: [800, 65536], icon: [32, 32] },
      features: { filter_aliases_by_date: true, multilingual: false },
    });
  });

  it('@site follows a change of the settings at once', async () => {
    await site.configure('site', { site_title: 'Üñï' });
    await site.configure('language', { multilingual: true, available_languages: ['en', 'fr'] });
    await site.configure('imaging', { allowed_sizes: ['wide 900:65536', 'no scale'] });
    expect(await info()).toMatchObject({
      'plone.site_title': 'Üñï',
      'plone.available_languages': ['en', 'fr'],
      'plone.image_scales': { wide: [900, 65536] },
      features: { multilingual: true },
    });
  });

  it('@site is public even if the content is private', async () => {
    const restrict = (roles: string[]) =>
      site.kernel.db.transaction((tx) =>
        writeConfiguration(tx, [{ kind: KINDS.permission, id: 'View', position: 0, data: roles }]),
      );
    await restrict(['Manager']);
    await site.request('POST', '/@workflow/retract', { json: {} });
    expect((await site.request('GET', '/', { as: 'anonymous' })).status).toBe(401);
    expect((await site.request('GET', '/@site', { as: 'anonymous' })).status).toBe(200);
    await restrict(['Anonymous']);
    await site.request('POST', '/@workflow/publish', { json: {} });
  });
});

describe('the logo', () => {
  const logo = async (filename: string, bytes: Uint8Array) => {
    await site.configure('site', { site_logo: logoOf(filename, bytes) });
    const url: string = (await info())['plone.site_logo'];
    return { url, ...(await site.request('GET', url, { as: 'anonymous' })) };
  };

  it('the logo is served at the address in @site', async () => {
    const { url, status, headers, bytes } = await logo('our logo.png', PNG);
    expect(url).toBe(`${site.url}/@@site-logo/our%20logo.png`);
    expect(status).toBe(200);
    expect(bytes).toEqual(PNG);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('content-disposition')).toMatch(/^inline; filename="our logo\.png"/);
    const again = await site.request('GET', url, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each([
    ['a drawing with a script', 'logo.svg', SVG, 'image/svg+xml'],
    ['a drawing that is called a picture', 'logo.png', SVG, 'image/svg+xml'],
    ['a page that is called a picture', 'logo.png', Buffer.from('<html><script>alert(1)</script>'), 'text/html'],
  ])('a logo of the type %s is never displayed inline', async (_what, filename, bytes, contentType) => {
    const { headers } = await logo(filename, bytes);
    expect(headers.get('content-type')).toBe(contentType);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it('the panel takes the logo as Volto sends it, with a brace behind the bytes', async () => {
    const sent = { site_title: 'Town', site_logo: `${logoOf('logo.png', PNG)}}` };
    const patch = (json: Json) => site.request('PATCH', '/@controlpanels/site', { json });
    expect((await patch(sent)).status).toBe(204);
    const { 'plone.site_logo': url, 'plone.site_title': title } = await info();
    expect([url, title]).toEqual([`${site.url}/@@site-logo/logo.png`, 'Town']);
    expect((await site.request('GET', url)).bytes).toEqual(PNG);
    // The values that the panel serves can be sent back.
    expect((await patch((await site.request('GET', '/@controlpanels/site')).body.data)).status).toBe(204);
    const { status, body } = await patch({ site_logo: logoOf('logo.png', Buffer.from('hello')) });
    expect([status, body.message]).toEqual([400, expect.stringContaining('Is not a picture: send PNG')]);
  });

  it.each([null, 42, 'logo.png', 'filenameb64:YQ==', 'filenameb64:YQ==;datab64:', 'filenameb64:YQ==;datab64:<!>'])(
    'a site has no logo when the setting is %j',
    async (value) => {
      await site.configure('site', { site_logo: value });
      expect((await info())['plone.site_logo']).toBeNull();
      expect((await site.request('GET', '/@@site-logo/logo.png')).status).toBe(404);
      expect((await site.request('GET', '/@@site-logo')).status).toBe(404);
    },
  );

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..', 'logo'],
    ['', 'logo'],
    ['a\r\nb.png', 'ab.png'],
  ])('a logo called %j gets the file name %s', (given, name) => {
    expect(parseSiteLogo(logoOf(given, PNG))?.filename).toBe(name);
  });
});
