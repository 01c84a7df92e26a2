// Uses the site in a browser, through Volto: npm run e2e -- --help
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SCREENSHOTS, startBrowser } from '../e2e/browser.mjs';
import { lookAtManagePage } from '../e2e/manage.mjs';
import { lookAtLargeSite } from '../e2e/manage-large.mjs';
import { lookAtPages } from '../e2e/pages.mjs';
import { startSite } from '../e2e/site.mjs';
import { buildIfStale } from './lib/build.mjs';
import { onEnd, runMain } from './lib/cleanup.mjs';
import { ROOT } from './lib/root.mjs';

const FLOWS = join(ROOT, 'e2e/flows');
const USAGE = `Usage: npm run e2e -- [options]
  --only A,B     the flows whose titles or files have one of these texts
  --pages        looks at the pages for browsers instead (docs/html-pages.md), without Volto: accessibility, keyboard, narrow
                 and wide, light and dark; makes the pictures in docs/pictures
  --manage       looks at the page for those who run a site instead (docs/manage.md), without Volto, as each role; with
                 --only the flows whose titles have one of the texts, "pages" for all pages as each role
  --large        with --manage: times of lists, tree and search with a folder of 100,000 children; needs Debian's package postgresql
  --update       writes the results of the flows that ran to the table in docs/volto.md
Needs "npm ci" in examples/volto, and Debian's package chromium (CHROMIUM is another program).
Screenshots go to .cache/e2e. Exit code 1: a flow fails, or something is in the log of Volto or the console of the browser.`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    manage: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    pages: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** The picture that the flows upload. */
const PICTURE = {
  data: readFileSync(join(ROOT, 'compare/files/picture.png')).toString('base64'),
  encoding: 'base64',
  filename: 'lead.png',
  'content-type': 'image/png',
};

/** Says if the options select a flow. */
const isWanted = ({ title, area }) =>
  options.only === undefined || options.only.split(',').some((words) => `${area} ${title}`.includes(words));

async function loadFlows() {
  const files = (await readdir(FLOWS)).filter((name) => name.endsWith('.mjs')).sort();
  const lists = await Promise.all(
    files.map(async (name) => {
      const { default: flows } = await import(join(FLOWS, name));
      return flows.map((flow) => ({ ...flow, area: name.replace(/^\d+-|\.mjs$/g, '') }));
    }),
  );
  return lists.flat();
}

/** Runs one flow on new pages, and returns its problems. */
async function runFlow(flow, number, site, browser) {
  const opened = [];
  const open = async ({ as, token, expected } = {}) => {
    const one = await browser.open({ token: token ?? (as === 'visitor' ? undefined : site.token), expected });
    opened.push(one);
    return one;
  };
  const problems = [];
  try {
    await flow.run({ ...site, open, picture: PICTURE });
  } catch (error) {
    problems.push(error.message.split('\n').slice(0, 4).join(' ').slice(0, 400));
  }
  for (const [index, { page }] of opened.entries())
    await page
      .screenshot({ path: join(SCREENSHOTS, `${String(number).padStart(2, '0')}-${index}.png`) })
      .catch(() => {});
  for (const { problems: seen, close } of opened) {
    problems.push(...seen);
    await close();
  }
  return problems;
}

/** The lines of Volto's log with errors. */
const errorsOf = (output) => output.split('\n').filter((line) => /\berror\b|TypeError|Unhandled/i.test(line));

/** Writes the table of all flows; those that did not run keep the result that the table has. */
function writeTable(all, results) {
  const path = join(ROOT, 'docs/volto.md');
  const text = readFileSync(path, 'utf8');
  const rows = all.flatMap(({ area, title }) => {
    const start = `| ${area} | ${title} |`;
    const ran = results.find(({ flow }) => flow.area === area && flow.title === title);
    if (ran) return [`${start} ${ran.problems.length === 0 ? 'passes' : 'fails'} |`];
    return text.split('\n').filter((line) => line.startsWith(start));
  });
  const table = ['| Part | What somebody does | Result |', '|---|---|---|', ...rows].join('\n');
  writeFileSync(
    path,
    text.replace(/(<!-- e2e -->\n)[\s\S]*(\n<!-- \/e2e -->)/, (_, start, end) => start + table + end),
  );
}

await runMain(async () => {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  buildIfStale();
  if (options.manage && options.large) return (await lookAtLargeSite()) === 0 ? 0 : 1;
  if (options.manage) return (await lookAtManagePage(options.only)) === 0 ? 0 : 1;
  if (options.pages) return (await lookAtPages()) === 0 ? 0 : 1;
  const all = await loadFlows();
  const flows = all.filter(isWanted);
  const site = await startSite();
  const browser = await startBrowser(site.url);
  onEnd(() => browser.close());
  const results = [];
  // Flows in several languages need a Volto of their own, on the same site.
  const places = new Map([['', { ...site, browser }]]);
  const placeOf = async ({ languages = [] }) => {
    const key = languages.join(' ');
    if (!places.has(key)) {
      const volto = await site.inLanguages(languages);
      const other = await startBrowser(volto.url);
      onEnd(() => other.close());
      places.set(key, { ...site, ...volto, browser: other });
    }
    return places.get(key);
  };
  for (const [index, flow] of flows.entries()) {
    const place = await placeOf(flow);
    const before = errorsOf(place.output()).length;
    const problems = await runFlow(flow, index + 1, place, place.browser);
    problems.push(
      ...errorsOf(place.output())
        .slice(before)
        .map((line) => `Volto: ${line.slice(0, 300)}`),
    );
    results.push({ flow, problems });
    console.log(
      `${problems.length === 0 ? 'ok    ' : 'FAILED'} ${String(index + 1).padStart(2)} ${flow.area}: ${flow.title}`,
    );
    for (const problem of problems) console.log(`          ${problem}`);
  }
  if (options.update) writeTable(all, results);
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
});
