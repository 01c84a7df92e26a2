import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import { create, publish, upload } from '../files/file-content.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const EXAMPLE = packageFolder('examples/html');
const CLIENT = packageFolder('packages/client');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Serves the files of the example, with the built client in its `node_modules` and the address of the site. */
function serveExample(siteUrl: () => string): Server {
  return createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const client = /^\/node_modules\/@canopy-server\/client\/(.*)$/.exec(path)?.[1];
    const file = client === undefined ? join(EXAMPLE, path === '/' ? 'index.html' : path) : join(CLIENT, client);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' });
    response.end(text?.replace('http://localhost:8080', siteUrl()));
  });
}

describeQuickestEngine('the plain HTML page of examples/html', (engine) => {
  const site = useTestSite(engine);
  const server = serveExample(() => site.url);
  let browser: Browser;
  let page: Page;
  let origin: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    await site.request('PATCH', '/@controlpanels/cors', { json: { allow_origin: [origin] } });
    await create(site, '/', { '@type': 'Folder', id: 'hall', title: 'Town hall' });
    const value = [{ type: 'p', children: [{ text: 'From ' }, { type: 'strong', children: [{ text: 'nine' }] }] }];
    await create(site, '/hall', {
      ...{ '@type': 'Page', id: 'hours', title: 'Opening <hours>', description: 'When' },
      blocks: { one: { '@type': 'slate', plaintext: 'From nine', value } },
      blocks_layout: { items: ['one'] },
    });
    await create(site, '/hall', {
      '@type': 'Image',
      id: 'dot',
      title: 'A dot',
      image: upload(Buffer.from(DOT, 'base64'), 'd.png', 'image/png'),
    });
    for (const path of ['/hall', '/hall/hours']) await publish(site, path);
    await create(site, '/', { '@type': 'Page', id: 'draft', title: 'A draft' });
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    page = await browser.newPage();
    page.setDefaultTimeout(20_000);
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  const open = async (hash: string, title: string): Promise<void> => {
    await page.goto(`${origin}/#${hash}`);
    await page.getByRole('heading', { name: title }).waitFor();
  };

  it('It shows content with its menu, its way and its blocks, and leads to its children.', async () => {
    await open('/', 'Welcome to Canopy!');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Town hall' }).click();
    await page.getByRole('link', { name: 'Opening <hours>' }).click();
    await page.getByRole('heading', { name: 'Opening <hours>' }).waitFor();
    expect(page.url()).toBe(`${origin}/#/hall/hours`);
    expect(await page.locator('main strong').textContent()).toBe('nine');
    expect(await page.getByRole('navigation', { name: 'Breadcrumbs' }).textContent()).toContain('Town hall');
  });

  it('A picture has its sizes.', async () => {
    await open('/hall/dot', 'A dot');
    expect(await page.locator('main img').getAttribute('srcset')).toMatch(/ \d+w$/);
  });

  it('A search has its results and their types.', async () => {
    await open('/', 'Welcome to Canopy!');
    await page.getByRole('searchbox').fill('opening');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: '1 for “opening”' }).waitFor();
    await page.getByRole('link', { name: 'Page (1)' }).click();
    await page.waitForURL(/type=Page/);
    expect(await page.getByRole('link', { name: 'Opening <hours>' }).getAttribute('href')).toBe('#/hall/hours');
  });

  it('It says that a page is not there, or not public.', async () => {
    await open('/nothing', 'There is no such page');
    await open('/draft', 'This page is not public');
  });
});
