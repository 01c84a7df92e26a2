import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../../src/lib/process/process.ts';
import { type Export, exportsOf } from './declarations.ts';
import { capitalised, code, page, plain } from './markdown.ts';

const EXAMPLE = packageFolder('examples/addon/src');

/** Names that stand for the inside of the server: a package passes them on, and uses the members that the documentation shows. */
export const HANDLES: ReadonlySet<string> = new Set(['Kernel', 'Site']);

/** Purposes of names that other packages declare. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  Type: 'Makes schemas: the same as `Type` of the package `typebox`.',
  Static: 'The type of the values of a schema, of the package `typebox`.',
  TSchema: 'Any schema, of the package `typebox`.',
};

type Source = { file: string; lines: string[] };

const sources: readonly Source[] = readdirSync(EXAMPLE)
  .filter((file) => file.endsWith('.ts'))
  .sort()
  .map((file) => ({
    file,
    lines: readFileSync(join(EXAMPLE, file), 'utf8')
      .replace(/^import [^;]*;$/gm, '')
      .split('\n'),
  }));

/** The first line of the example add-on that uses a name, with its file; tests come last. */
function exampleOf(name: string): string {
  const use = new RegExp(`(?<![\\w.'"-])${name.replace('.', '\\s*\\.\\s*')}(?![\\w'-])`);
  const [tests, others] = [true, false].map((areTests) =>
    sources.filter(({ file }) => file.endsWith('.test.ts') === areTests),
  );
  for (const { file, lines } of [...(others ?? []), ...(tests ?? [])]) {
    const line = lines.find((one) => use.test(one) && !/^\s*(?:\/\/|\*|\/\*)/.test(one));
    if (line !== undefined) return `Example: ${code(line.trim())} in ${code(`examples/addon/src/${file}`)}`;
  }
  return '';
}

function partOf({ name, declaration, members }: Export): string[] {
  const purpose = declaration?.purpose ?? OF_OTHERS[name];
  if (purpose === undefined) throw new Error(`${name} comes from another package: say its purpose in OF_OTHERS.`);
  const stays = HANDLES.has(name) ? '**Passed on.** ' : '';
  const example = exampleOf(name);
  const text = declaration?.text ?? '';
  return [
    `### ${name}`,
    '',
    ...(stays + purpose === '' ? [] : [`${stays}${plain(purpose)}`, '']),
    ...(text === '' ? [] : ['```ts no-test', text.replace(/^export /, ''), '```', '']),
    ...(example === '' ? [] : [example, '']),
    ...members.flatMap(partOf),
  ];
}

/** The title of a group of exports, and its other words. */
function groupPart(group: string, exports: readonly Export[]): string[] {
  const [, title = group, words = ''] = /^([^:.]+)[:.]\s*(.*)$/.exec(group) ?? [];
  return [`## ${title}`, '', ...(words === '' ? [] : [capitalised(words), '']), ...exports.flatMap(partOf)];
}

/** All names of the contract, those of `canopy-server/testing` in a group of their own. */
export const contract = (): Export[] => [
  ...exportsOf(packageFolder('src/index.ts')),
  ...exportsOf(packageFolder('src/testing.ts')).map((one) => ({
    ...one,
    group: 'Tests: names of `canopy-server/testing`.',
  })),
];

/** The page about everything that packages import. */
export function facePage(): string {
  const groups = new Map<string, Export[]>();
  for (const one of contract()) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return page(
    'Names for add-ons',
    [
      'It has everything that the package `canopy-server` exports, with its declaration; the explanation is in [Add-ons](../add-ons.md).',
      '',
      '**What stays.** Every name here stays within 0.x as [Upgrades](../upgrades.md#what-stays) says: patches change nothing but faults, minor',
      'versions add names and members, and what goes or means something else is announced one minor version before. Names that are marked',
      '*passed on* are the inside of the server: functions take them, and of their members those stay that these pages show in examples. Names',
      'that are not here, and files of the package that are imported by their path, are no part of the contract.',
    ],
    [...groups].flatMap(([group, exports]) => groupPart(group, exports)),
  );
}
