import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../lib/free-port.mjs';
import { tryChanges } from './changes.mjs';
import { fillSite } from './content.mjs';
import { lookAtPages } from './pictures.mjs';
import { check, expectText, run, start } from './programs.mjs';
import { walkToPage } from './walk.mjs';

const statusOf = async (url) => (await fetch(url)).status;
const textOf = async (url) => (await fetch(url)).text();

/** The pages that a visitor sees: content, menu, breadcrumbs, children, pictures, languages, and the ways to them. */
async function tryPages(site) {
  const page = (path, text) => expectText(site, path, text, 'text/html');
  await page('/', 'Your site is up and running');
  await page('/', '>Town hall</a>');
  await page('/town-hall/hours', 'Every day from <strong>9');
  await page('/town-hall/hours', 'href="/town-hall"');
  await page('/town-hall/hours', 'href="/town-hall/dot"');
  await page('/town-hall', 'href="/town-hall/hours"');
  await page('/town-hall/hours', 'lang="de"');
  await page('/zeiten', 'lang="de"');
  const sizes = /srcset="([^"]+)"/i.exec(await textOf(`${site}/town-hall/dot`))?.[1]?.split(', ') ?? [];
  check(sizes.length > 3, `A picture has ${sizes.length} sizes.`);
  console.log(`A picture has ${sizes.length} sizes: ${sizes.map((size) => size.split(' ').at(-1)).join(' ')}`);
  const moved = await fetch(`${site}/old-hall/hours`, { redirect: 'manual' });
  check(moved.headers.get('location')?.endsWith('/town-hall/hours'), 'An old address does not lead to the new one.');
  check((await statusOf(`${site}/nowhere`)) === 404, 'A page that is not there is not 404.');
  check((await statusOf(`${site}/@users`)) === 404, 'A service is shown as a page.');
  check((await statusOf(`${site}/draft`)) === 401, 'A page that is not public is not 401.');
  await page('/sitemap.xml', `<loc>${site}/town-hall/hours</loc>`);
}

/** The search: words, facets that narrow it, and the results of a long list on several pages. */
async function trySearch(site) {
  const page = (path, text) => expectText(site, path, text, 'text/html');
  await page('/search?text=opening', 'href="/town-hall/hours"');
  await page('/search?text=opening', 'type=Page');
  await page('/search?text=opening', 'tag=visit');
  for (const facet of ['type=Image', 'tag=other'])
    check(
      !(await textOf(`${site}/search?text=opening&${facet}`)).includes('"/town-hall/hours"'),
      `The facet ${facet} does not narrow.`,
    );
  await page('/notices', 'href="/search?path=/notices"');
  await page('/search?path=/notices', 'start=20');
  await page('/search?path=/notices&start=20', '"/notices/');
}

/** A draft by its preview link, which others do not see afterwards. */
async function tryDraft(site, token) {
  await expectText(site, `/draft?preview_token=${token}`, 'This is a draft', 'text/html');
  check((await statusOf(`${site}/draft`)) === 401, 'A draft is kept for others.');
}

/** A project with a front end: the way to the first page of one's own, then all pages, built for production, of a site with content. */
export async function tryFrontEnd(name, { folder, server, client, pictures }) {
  const { project, canopy } = await walkToPage(name, { folder, server, client });
  const frontEnd = join(project, 'front-end');
  run('npm', ['run', 'build'], frontEnd, {
    env: { ...process.env, CANOPY_URL: canopy.url, NEXT_TELEMETRY_DISABLED: '1' },
  });
  // The connections that Canopy has closed while the build ran are noticed now.
  await sleep(500);
  const token = await fillSite(canopy.url);
  const port = String(await freePort());
  const site = `http://127.0.0.1:${port}`;
  const webhook = { title: 'Front end', url: `${site}/api/revalidate` };
  const { secret } = await canopy.send('POST', '/@webhooks', webhook);
  const env = { PORT: port, HOST: '127.0.0.1', CANOPY_URL: canopy.url, SITE_URL: site, CANOPY_WEBHOOK_SECRET: secret };
  const pattern = /(http:\/\/(?:127\.0\.0\.1|localhost|0\.0\.0\.0):\d+)/;
  const front = await start('npm', ['start'], { cwd: frontEnd, env, pattern });
  await sleep(500);
  await tryPages(site);
  await trySearch(site);
  await tryDraft(site, token);
  await lookAtPages(name, { site, token, isKept: pictures });
  await tryChanges(canopy, site);
  await canopy.stop();
  await expectText(site, '/town-hall/dot', 'The hall', 'text/html');
  check((await statusOf(`${site}/search?text=opening`)) === 500, 'A search without Canopy is not 500.');
  await front.stop();
}
