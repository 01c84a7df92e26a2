import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { launch } from '../../e2e/browser.mjs';
import { onEnd } from '../lib/cleanup.mjs';
import { ROOT } from '../lib/root.mjs';
import { check } from './programs.mjs';

/** Bytes of the scripts of a page, compressed, at most. */
const MAX_SCRIPT_BYTES = { astro: 0, next: 250_000 };
const SIZE = { width: 900, height: 700 };

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/** Opens a page in a browser, and returns what it has loaded: compressed bytes by the type of the resource. Throws for its problems. */
async function open(page, url) {
  const loaded = new Map();
  const problems = [];
  const waiting = [];
  page.removeAllListeners();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(`${message.text()} ${message.location().url}`),
  );
  page.on('response', (response) => {
    const type = response.request().resourceType();
    if (!['document', 'script', 'stylesheet'].includes(type)) return;
    const note = (body) => loaded.set(type, (loaded.get(type) ?? 0) + gzipSync(body, { level: 9 }).length);
    waiting.push(response.body().then(note));
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await Promise.all(waiting);
  const broken = await page.evaluate(() =>
    [...document.images].filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0).map(({ src }) => src),
  );
  problems.push(...broken.map((src) => `The picture ${src} is broken.`));
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  if (scrollWidth > clientWidth) problems.push(`The page is ${scrollWidth} pixels wide in ${clientWidth}.`);
  check(problems.length === 0, `${url} has problems in a browser: ${problems.join('\n')}`);
  return loaded;
}

/**
 * Looks at a page, a draft and a search in Chromium: no error, no broken picture. Prints the bytes of the page, and takes pictures: into
 * docs/pictures where they are kept, else into .cache/front-ends.
 */
export async function lookAtPages(name, { site, token, isKept }) {
  const folder = join(ROOT, isKept ? 'docs/pictures' : '.cache/front-ends');
  mkdirSync(folder, { recursive: true });
  const browser = await launch();
  const close = onEnd(() => browser.close());
  const page = await browser.newPage({ viewport: SIZE });
  const loaded = await open(page, `${site}/town-hall/hours`);
  const bytesOf = (type) => loaded.get(type) ?? 0;
  console.log(
    `${name}: a page has ${kilobytes(bytesOf('document'))} of HTML, ${kilobytes(bytesOf('script'))} of scripts and ${kilobytes(bytesOf('stylesheet'))} of styles, compressed.`,
  );
  check(bytesOf('script') <= MAX_SCRIPT_BYTES[name], `The scripts have ${bytesOf('script')} bytes.`);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await open(page, `${site}/draft?preview_token=${token}`);
  const note = await page.getByRole('status').boundingBox();
  check(note !== null && note.y + note.height <= SIZE.height, 'The note above a draft is not in view.');
  await page.screenshot({ path: join(folder, `${name}-draft.png`) });
  await open(page, `${site}/search?text=opening`);
  await page.screenshot({ path: join(folder, `${name}-search.png`) });
  await close();
}
