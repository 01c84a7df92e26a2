import { packageFolder } from '../../../src/lib/process/process.ts';
import { type Export, exportsOf } from './declarations.ts';
import { code, codes, page, plain } from './markdown.ts';

/** Names of `canopy-server/core` that are no part of any promise, with the reason: at most a tenth of all. */
export const INTERNAL: Readonly<Record<string, string>> = {
  KERNEL_FEATURES: 'the list of features is read by what describes the server itself',
  METRICS_PAGE: 'the server has one page of metrics',
  MetricsPage: 'as `METRICS_PAGE`',
  OBSERVED: 'figures of the process for the one page of metrics',
  OUTCOMES: 'as `OBSERVED`',
  REPLICAS: 'state of the database for monitoring',
  databases: 'whole databases are opened and replaced by backups alone',
  forgetMigrations: 'only the removal of an add-on may run migrations again',
  holdFolder: 'the folder of the site belongs to the server',
  outsideCaches: 'the server has one feature for caches outside',
  secretBox: 'the key of the site is shared by the features of the server',
  siteChanges: 'the change feed is read by caches alone',
};

export const coreNames = (): Export[] => exportsOf(packageFolder('src/core/index.ts'));

/** The first sentence of a docstring. */
const firstSentence = (text: string): string => /^[\s\S]*?[.:;](?=\s|$)/.exec(text)?.[0] ?? text;

function lineOf({ name, declaration, members }: Export): string {
  const reason = INTERNAL[name];
  const purpose = plain(firstSentence(declaration?.purpose ?? '')).replace(/[:;]$/, '.');
  const inside = codes(members.map((member) => member.name.slice(name.length + 1)));
  const parts = [
    purpose,
    inside === '' ? '' : `Members: ${inside}.`,
    reason === undefined ? '' : `**Internal:** ${plain(reason)}.`,
  ];
  return `- ${code(name)}: ${parts.filter((part) => part !== '').join(' ')}`;
}

/** The page about the names that features of the server take from its core. */
export function corePage(): string {
  const rooms = new Map<string, Export[]>();
  for (const one of coreNames()) rooms.set(one.group, [...(rooms.get(one.group) ?? []), one]);
  return page(
    'Names of the core',
    [
      'The features of the server itself are made of these names, and `canopy-server/core` gives them to packages: everything that a feature of',
      'the server does, one of a package can do. They promise less than the [names for add-ons](face.md): a minor version may change or',
      'remove them, and the changelog says so. Patches leave them alone, except those that are *internal*.',
    ],
    [...rooms].flatMap(([room, names]) => [`## ${room}`, '', ...names.map(lineOf), '']),
  );
}
