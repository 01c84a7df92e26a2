// A browser that records problems: errors of pages, errors in the console, and responses that no page should get.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ROOT } from '../scripts/lib/root.mjs';

const PROGRAM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const SCREENSHOTS = join(ROOT, '.cache/e2e');
/** Milliseconds that a step of a flow may take. */
const STEP_MS = 30_000;

/** Messages that Volto itself writes to the console with every server. */
const OF_VOLTO = [
  /Warning: /,
  /DevTools/,
  /defaultProps/,
  /findDOMNode/,
  /was preloaded using link preload/,
  /\[React Intl\]/,
  /React Intl/,
  /Missing locale data/,
  /componentWill/,
];

/** Starts the program. */
export const launch = () => chromium.launch({ executablePath: PROGRAM, headless: true, args: ARGUMENTS });

/** Starts the browser. `open(context)` gives a page with a list of its problems. */
export async function startBrowser(url) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const browser = await launch();
  return {
    close: () => browser.close(),
    /** Opens a new page, logged in with a token, or as a visitor. `expected` are statuses that the flow causes on purpose. */
    async open({ token, expected = [] } = {}) {
      const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } });
      if (token !== undefined) await context.addCookies([{ name: 'auth_token', value: token, url }]);
      const page = await context.newPage();
      page.setDefaultTimeout(STEP_MS);
      const problems = [];
      page.on('pageerror', (error) => problems.push(`page: ${error.message.slice(0, 300)}`));
      page.on('console', (message) => {
        const text = message.text();
        if (message.type() !== 'error' || OF_VOLTO.some((pattern) => pattern.test(text))) return;
        if (/^Failed to load resource/.test(text)) return;
        problems.push(`console: ${text.slice(0, 300)}`);
      });
      page.on('response', (response) => {
        const status = response.status();
        const address = response.url();
        if (!address.startsWith(url) || status < 400 || expected.includes(status)) return;
        problems.push(`${status} ${response.request().method()} ${address.slice(url.length)}`);
      });
      return { page, problems, close: () => context.close() };
    },
  };
}
