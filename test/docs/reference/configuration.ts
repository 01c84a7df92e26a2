import { assembleWith } from '../../../src/app/create-kernel.ts';
import { FEATURES } from '../../../src/app/features.ts';
import type { Panel, Setting } from '../../../src/core/configuration/panels/panel.ts';
import { OVERVIEW } from '../../../src/core/configuration/panels/panel.ts';
import { loadProfile } from '../../../src/core/configuration/profiles/profile.ts';
import { buildSite } from '../../../src/core/configuration/site/build-site.ts';
import type { Site } from '../../../src/core/configuration/site/site.ts';
import { CORE_COLUMNS } from '../../../src/core/search/metadata.ts';
import type { ContentType } from '../../../src/core/types/content-type.ts';
import type { Behavior, Property } from '../../../src/core/types/definition.ts';
import { code, codes, page, table } from './markdown.ts';

const registries = assembleWith([]);

/** The sites that the profiles of the program make. */
const SITES: ReadonlyMap<string, Site> = new Map(
  ['default', 'plone'].map((profile) => [profile, buildSite('1', loadProfile(profile).rows, registries)]),
);

const sorted = <T>(things: Iterable<T>, nameOf: (thing: T) => string): T[] =>
  [...things].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

/** A default value, as far as it fits into a table. */
function defaultOf({ default: value, writeOnly }: Property): string {
  if (value === undefined || value === null || writeOnly) return '';
  const text = JSON.stringify(value);
  return code(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

const settingRow = ({ name, record, property, alias }: Setting): string[] => [
  alias === undefined ? code(name) : `${code(name)}, ${code(alias)}`,
  code(record),
  property.factory,
  defaultOf(property),
  [property.title, property.description].filter(Boolean).join('. '),
];

function panelPart({ id, title, group, permission = OVERVIEW, settings }: Panel): string[] {
  const inert = settings.filter(({ withoutEffect }) => withoutEffect);
  const names = codes(inert.map(({ name }) => name));
  return [
    `## ${title}`,
    '',
    `${code(id)}, in the group ${group}; changes need ${code(permission)}.`,
    '',
    ...table(
      ['Setting', 'Record', 'Kind', 'Default', 'Meaning'],
      settings.filter(({ withoutEffect }) => !withoutEffect).map(settingRow),
    ),
    ...(inert.length > 0 ? [`Without effect, in the profile ${code('plone')} alone: ${names}.`, ''] : []),
  ];
}

/** The page about the settings of control panels. */
export const panelsPage = (): string =>
  page(
    'Settings of control panels',
    [
      'The defaults are those of the program; profiles bring values of their own. [Control panels](../control-panels.md) says how settings are',
      'read and changed. The second name of a setting is the one of Nick, in the profile `default`.',
    ],
    registries.panels
      .all()
      .filter(({ settings }) => settings.length > 0)
      .flatMap(panelPart),
  );

const typeRow = (type: ContentType): string[] => [
  code(type.id),
  type.title,
  type.folderish ? 'yes' : '',
  type.workflow === null ? '' : code(type.workflow),
  codes(type.behaviors.filter((id) => id !== 'folderish')),
  codes(type.fields.filter(({ behavior }) => behavior === type.id).map(({ name }) => name)),
];

const fieldOf = (behavior: Partial<Pick<Behavior, 'properties' | 'required'>>): string =>
  Object.entries(behavior.properties ?? {})
    .map(([name, { factory }]) => `${code(name)} (${factory}${behavior.required?.includes(name) ? ', required' : ''})`)
    .join(', ');

const behaviorRow = (behavior: Behavior): string[] => [
  [behavior.id, ...(behavior.aliases ?? [])].map(code).join(', '),
  [behavior.title, behavior.description].filter(Boolean).join('. '),
  fieldOf(behavior),
];

/** The page about types and behaviors. */
export const typesPage = (): string =>
  page(
    'Types and behaviors',
    [
      'These are the types of new sites; a site adds its own ([Content types](../types.md)). [Content](../content.md) describes the fields and',
      'their formats.',
    ],
    [...SITES].flatMap(([profile, site]) => [
      `## Types of the profile ${profile}`,
      '',
      ...table(
        ['Type', 'Title', 'Container', 'Workflow', 'Behaviors', 'Own fields'],
        sorted(site.types.values(), ({ id }) => id).map(typeRow),
      ),
      `## Behaviors of the profile ${profile}`,
      '',
      ...table(['Behavior', 'Meaning', 'Fields'], sorted(site.behaviors.values(), ({ id }) => id).map(behaviorRow)),
    ]),
  );

const yes = (is: boolean): string => (is ? 'yes' : '');

/** The indexes and columns that fields of the types of a profile declare. */
function declaredBy(site: Site): string[][] {
  const indexes = new Map([...site.types.values()].flatMap((type) => type.indexes.map((index) => [index.name, index])));
  return sorted(indexes.values(), ({ name }) => name).map(({ name, kind, field, sortable }) => [
    code(name),
    kind,
    code(field.name),
    yes(sortable),
  ]);
}

/** The page about indexes and columns. */
export const catalogPage = (): string =>
  page(
    'Catalog',
    [
      'Names that searches take and listings show. [Search](../search.md) explains how they are used; types add names with `index` and `column`',
      'of their fields.',
    ],
    [
      '## Indexes',
      '',
      ...table(
        ['Index', 'Sorts', 'Facets', 'Stored'],
        sorted(registries.catalog.indexes.values(), ({ name }) => name).map((index) => [
          code(index.name),
          yes(index.sort !== undefined),
          yes(index.counted !== undefined),
          yes(index.store !== undefined),
        ]),
      ),
      ...[...SITES].flatMap(([profile, site]) => [
        `## Indexes of fields in the profile ${profile}`,
        '',
        ...table(['Index', 'Kind', 'Field', 'Sorts'], declaredBy(site)),
      ]),
      '## Columns',
      '',
      `${codes(sorted([...CORE_COLUMNS, ...registries.catalog.columns.keys()], (name) => name))}.`,
    ],
  );

const byFeature = <T>(pick: (feature: (typeof FEATURES)[number]) => readonly T[] | undefined): [string, T][] =>
  FEATURES.flatMap((feature) => (pick(feature) ?? []).map((part): [string, T] => [feature.name, part]));

/** The page about the other parts that features bring. */
export function piecesPage(): string {
  const roles = [...SITES].map(([, site]) => site.roleMap);
  const permissions = [...new Set(roles.flatMap((map) => Object.keys(map)))].sort();
  return page(
    'Pieces',
    ['The parts that content types, blocks, forms, rules and workflows name.'],
    [
      '## Kinds of fields',
      '',
      ...table(
        ['Factory', 'Other names', 'Tokens'],
        registries.fieldKinds.factories.map(({ name, aliases = [], tokens = [] }) => [
          code(name),
          codes(aliases),
          codes(tokens),
        ]),
      ),
      '## Blocks',
      '',
      'Blocks of any type are stored and served. These have rules of their own:',
      '',
      `${codes(byFeature(({ blocks }) => blocks).flatMap(([, { type }]) => (type === null ? [] : [type])))}.`,
      '',
      '## Vocabularies',
      '',
      ...table(
        ['Vocabulary', 'Other names', 'Permission', 'Feature'],
        byFeature(({ vocabularies }) => vocabularies).map(
          ([
            feature,
            {
              names: [name, ...others],
              permission = '',
            },
          ]) => [code(name), codes(others), permission, feature],
        ),
      ),
      '## Components',
      '',
      ...table(
        ['Component', 'Options', 'Feature'],
        byFeature(({ components }) => components).map(([feature, { name, options }]) => [
          code(name),
          codes(Object.keys(options?.properties ?? {})),
          feature,
        ]),
      ),
      '## Jobs',
      '',
      ...table(
        ['Action', 'Title', 'Parameters'],
        byFeature(({ jobActions }) => jobActions).map(([, { name, title, schema }]) => [
          code(name),
          title,
          codes(Object.keys(schema.properties)),
        ]),
      ),
      '## Content rules',
      '',
      ...table(
        ['Name', 'Kind', 'Title'],
        [
          ...byFeature(({ ruleConditions }) => ruleConditions).map(([, { name, title }]) => [
            code(name),
            'condition',
            title,
          ]),
          ...byFeature(({ ruleActions }) => ruleActions).map(([, { name, title }]) => [code(name), 'action', title]),
        ],
      ),
      '## Permissions',
      '',
      'Roles that have a permission where neither a workflow nor the site says otherwise.',
      '',
      ...table(
        ['Permission', 'In the profile default', 'In the profile plone'],
        permissions.map((name) => [code(name), ...roles.map((map) => (map[name] ?? []).join(', '))]),
      ),
    ],
  );
}
