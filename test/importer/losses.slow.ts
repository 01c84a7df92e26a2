import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdownReader } from '@canopy-server/markdown-reader';
import { nickReader } from '@canopy-server/nick-export';
import { wordpressReader } from '@canopy-server/wordpress-export';
import { expect, it } from 'vitest';
import { EFFECTS, type ImportReason, REASON_NAMES, REASONS } from '../../src/features/import/import-reasons.ts';
import type { ImportProblem } from '../../src/features/import/import-report.ts';
import type { ImportOptions } from '../../src/features/import/import-site.ts';
import { quickestEngine } from '../support/database.ts';
import { classicExport } from './classic-export.ts';
import { freshSite, linesOf, run } from './import-helpers.ts';
import { documentation } from './markdown/documentation.ts';
import { folderOf, PIXEL } from './markdown/folder.ts';
import { PROFILES } from './nick/profiles.ts';
import { fixture, writeExport } from './readers/helpers.ts';

/** The page with the figures, which `npx vitest run -c vitest.slow.config.ts test/importer/losses.slow.ts -u` renews. */
const PAGE = fileURLToPath(new URL('../../docs/import-losses.md', import.meta.url));

/** Places of exports that are not part of this repository. Where one is missing, the figures of the page stay. */
const EXPORTS = process.env.TEST_EXPORTS ?? '';
const NICK = process.env.NICK_PROFILES ?? '';
/** The folder of `theme-unit-test.xml` and `a11y-unit-test.xml`. */
const WXR = process.env.TEST_WXR ?? '';

/** Longest example of a line of a report. */
const MAX_EXAMPLE = 160;

type Options = Partial<ImportOptions>;

/** An export that is known: where it is from, and how it is imported. `place` is undefined where it is missing. */
type Known = { title: string; about: string; place: () => Promise<string> | string | undefined; options?: Options };

const outside = (place: string) => () => (existsSync(place) ? place : undefined);

async function nickSite(): Promise<string> {
  const folder = await writeExport(PROFILES);
  await mkdir(join(folder, 'site/documents/images'), { recursive: true });
  await writeFile(join(folder, 'site/documents/images/cover.png'), PIXEL);
  return folder;
}

const nick = (profiles: string): Options => ({ reader: nickReader, readerOptions: { profiles } });
const wordpress: Options = { reader: wordpressReader };

const KNOWN: readonly Known[] = [
  {
    title: 'The site of the Plone Conference 2024',
    about: 'A real site in the form of collective.exportimport.',
    place: outside(`${EXPORTS}/ploneconf-2024`),
  },
  {
    title: 'The example of plone.exportimport',
    about: "The site of that package's own tests.",
    place: outside(`${EXPORTS}/plone-exportimport`),
  },
  {
    title: 'A form of collective.exportimport',
    about: 'A site of the tests, one object a file, with all further files and with faults.',
    place: () => fixture('collective'),
  },
  {
    title: 'A form of plone.exportimport',
    about: 'A site of the tests, with all further files and with faults.',
    place: () => fixture('plone'),
  },
  {
    title: 'A site of Plone 4 with Archetypes',
    about: 'Classic pages, topics, portlets, old passwords, forms and layouts, made up for the tests.',
    place: () => writeExport(classicExport()),
  },
  {
    title: "Nick's example site",
    about: 'Its profiles `core` and `examplecontent`.',
    place: () => (existsSync(join(NICK, 'examplecontent')) ? NICK : undefined),
    options: nick('core,examplecontent'),
  },
  {
    title: "Nick's multilingual example site",
    about: 'Its profiles `core`, `multilingual` and `multilingualcontent`.',
    place: () => (existsSync(join(NICK, 'multilingualcontent')) ? NICK : undefined),
    options: nick('core,multilingual,multilingualcontent'),
  },
  {
    title: 'Profiles of Nick with faults',
    about: 'Made up for the tests: own types, roles, workflows, rules, versions, and files that are broken.',
    place: nickSite,
    options: nick('base,site'),
  },
  {
    title: "WordPress's test data for themes",
    about: '`themeunittestdata.wordpress.xml` of WordPress/theme-test-data, without its uploads.',
    place: outside(join(WXR, 'theme-unit-test.xml')),
    options: wordpress,
  },
  {
    title: "WordPress's test data for accessibility",
    about: '`a11y-unit-test-data.xml` of WordPress/wordpress-importer, without its uploads.',
    place: outside(join(WXR, 'a11y-unit-test.xml')),
    options: wordpress,
  },
  {
    title: 'A small site of WordPress',
    about: 'Made up for the tests, with uploads, of which some are missing.',
    place: () => join(fixture('wordpress'), 'site.xml'),
    options: wordpress,
  },
  {
    title: 'A documentation of 500 Markdown files',
    about: 'Made up for the tests: texts in 20 folders with front matter, links, pictures, tables and old addresses.',
    place: () => folderOf(documentation()),
    options: { reader: markdownReader },
  },
];

const cell = (text: string): string => {
  const line = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('|', '\\|')
    .replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'));
  return line.length > MAX_EXAMPLE ? `${line.slice(0, MAX_EXAMPLE)}…` : line;
};

/** The lines of a report by their reasons, the worst first. */
function rowsOf(lines: readonly ImportProblem[], counts: Partial<Record<ImportReason, number>>): string[] {
  return [...REASON_NAMES]
    .filter((reason) => (counts[reason] ?? 0) > 0)
    .sort((a, b) => EFFECTS.indexOf(REASONS[a].effect) - EFFECTS.indexOf(REASONS[b].effect))
    .map((reason) => {
      const examples = lines
        .filter((line) => line.reason === reason)
        .map(({ path, message }) => `${path ?? ''} ${message}`);
      const { effect, title } = REASONS[reason];
      return `| ${effect} | \`${reason}\`: ${title} | ${counts[reason]} | ${cell(examples.sort()[0]?.trim() ?? '')} |`;
    });
}

/** Imports an export into a new site. Returns its part of the page; undefined where it is missing. */
async function sectionOf({ title, about, place, options = {} }: Known): Promise<string | undefined> {
  const directory = await place();
  if (directory === undefined) return undefined;
  const { kernel, dataDir } = await freshSite(quickestEngine());
  const reportFile = join(dataDir, 'report.json');
  let listed = 0;
  const progress = (total: number) => {
    listed = total;
    return { tick: () => {}, done: () => {} };
  };
  const summary = await run(kernel, directory, { ...options, reportFile, progress });
  const lines = await linesOf(reportFile);
  // Nothing is silent: what is not there is a line of the report.
  const { created, skipped, failed } = summary.objects;
  const gone = lines.filter(({ reason }) => ['object', 'present'].includes(reason)).length;
  expect(gone, title).toBeGreaterThanOrEqual(failed + skipped);
  const { files, users, groups, redirects, comments } = summary;
  const came = [
    `${listed} objects in the export, ${created} made`,
    ...Object.entries({ files, users, groups, redirects, comments })
      .filter(([, tally]) => tally.created + tally.failed > 0)
      .map(([name, tally]) => `${name}: ${tally.created}${tally.failed > 0 ? `, and ${tally.failed} not` : ''}`),
  ];
  const rows = rowsOf(lines, summary.reasons);
  const table =
    rows.length === 0
      ? ['Nothing was lost, changed or added.']
      : ['| Effect | Kind | Number | For example |', '|---|---|---|---|', ...rows];
  return [`## ${title}`, '', about, '', `${came.join('; ')}.`, '', ...table, ''].join('\n');
}

const HEAD = `# What imports lose

The exports that the tests know, each imported into a new site: what it has, what came, and each kind of loss or change with its number and one line
of the [report](import.md#the-report). All figures come from these imports; a test repeats them. The objects of an export are those that its reader counts;
what a reader leaves out is a line as well.
`;

it('The page about losses has the figures of imports of all known exports.', { timeout: 900_000 }, async () => {
  const present = existsSync(PAGE) ? await readFile(PAGE, 'utf8') : '';
  const known = new Map(present.split(/^(?=## )/m).map((part) => [/^## (.*)/.exec(part)?.[1] ?? '', part.trimEnd()]));
  const sections: string[] = [];
  for (const one of KNOWN) {
    const section = (await sectionOf(one))?.trimEnd() ?? known.get(one.title);
    if (section !== undefined) sections.push(section);
  }
  await expect(`${[HEAD.trimEnd(), ...sections].join('\n\n')}\n`).toMatchFileSnapshot(PAGE);
});
