import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { type JobAction, schemas } from '#core';
import type { FieldProblem } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { CONFLICT_RULES, type ConflictRule, isConflictRule } from '../again/log.ts';

/** The choices of an import. */
export type ImportChoices = {
  dryRun: boolean;
  strict: boolean;
  again: ConflictRule | undefined;
  reader: string | undefined;
  siteRoot: string | undefined;
  textAsBlocks: boolean;
  path: string | undefined;
  replace: boolean;
  /** Names of the given choices. */
  given: readonly string[];
};

const Flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** The body of a request that starts an import. */
export const StartBody = Type.Object(
  {
    dry_run: Flag('Only says what would be imported and lost.'),
    strict: Flag('Imports nothing when something would be lost.'),
    again: Flag('Brings what a newer export of the same site changes; what was changed here stays.'),
    conflicts: Type.Optional(
      schemas.Choice([...CONFLICT_RULES], {
        description:
          'With `again`, what counts where both changed the same: the site, the export, or nothing is imported (`stop`, the default).',
      }),
    ),
    reader: Type.Optional(
      Type.String({
        description: 'The name of the reader, such as `plone` or `wordpress`; without it the export shows it.',
        pattern: '^[a-z][a-z0-9-]{0,49}$',
        message: 'must be the name of a reader, such as "plone"',
      }),
    ),
    site_root: Type.Optional(schemas.Text({ maxLength: 1000, description: 'The address of the Plone site.' })),
    text_as_blocks: Flag("Makes blocks of the text of Plone's classic pages."),
    path: Type.Optional(
      schemas.Text({
        maxLength: 2000,
        description: 'Of an export of a part of a site of this server: the folder for it.',
      }),
    ),
    replace: Flag('Of an export of a whole site of this server: removes everything that is here.'),
  },
  { examples: [{ dry_run: true }] },
);

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The choices that a body or the params of a job have. */
export function choicesOf(params: JsonObject): ImportChoices {
  const { dry_run: dryRun, strict, again, conflicts, text_as_blocks: textAsBlocks, replace } = params;
  const rule = typeof conflicts === 'string' && isConflictRule(conflicts) ? conflicts : 'stop';
  return {
    dryRun: dryRun === true,
    strict: strict === true,
    again: again === true ? rule : undefined,
    reader: text(params.reader),
    siteRoot: text(params.site_root),
    textAsBlocks: textAsBlocks === true,
    path: text(params.path),
    replace: replace === true,
    given: Object.keys(params).filter((name) => params[name] !== undefined && params[name] !== false),
  };
}

/** Problems of choices that go not together. */
export const problemsOf = ({ given }: ImportChoices): FieldProblem[] =>
  given.includes('conflicts') && !given.includes('again')
    ? [{ field: 'conflicts', message: 'is for "again": true' }]
    : [];

/** Choices that mean something for one of the two kinds of exports only. */
const OF_READERS = ['again', 'conflicts', 'reader', 'site_root', 'text_as_blocks'];
const OF_CANOPY = ['path', 'replace'];

/** The problem of choices that an export does not have; undefined when all fit. `isOwn`: this server has made it. */
export function misfit({ given }: ImportChoices, isOwn: boolean): string | undefined {
  const name = (isOwn ? OF_READERS : OF_CANOPY).find((one) => given.includes(one));
  if (name === undefined) return undefined;
  return isOwn
    ? `"${name}" is for exports of other systems, and this one was made by this server.`
    : `"${name}" is for exports that this server has made.`;
}

/** A text about options of the command, for somebody who sends them as members of a body. */
export const withoutOptions = (message: string): string =>
  message.replace(/--([a-z]+(?:-[a-z]+)*)/g, (option, name: string) => {
    const member = name.replaceAll('-', '_');
    return [...OF_READERS, ...OF_CANOPY].includes(member) ? `"${member}"` : option;
  });

/** The choices in the params of a job. */
export const choicesOfJob = ({ choices }: JsonObject): ImportChoices => choicesOf(isJsonObject(choices) ? choices : {});

/** The problems of the params of a job. */
export const problemsOfJob = ({ choices = {} }: JsonObject): FieldProblem[] =>
  Check(StartBody, choices) && isJsonObject(choices)
    ? problemsOf(choicesOf(choices))
    : [{ field: 'choices', message: 'must be choices of POST @imports/<id>/start' }];

/** The schema of the params of the job. */
export const SCHEMA: JobAction['schema'] = {
  fieldsets: [{ id: 'default', title: 'Default', fields: ['import', 'choices'] }],
  properties: {
    import: {
      title: 'Export',
      description: 'The id of the uploaded export.',
      type: 'string',
      factory: 'Text line (String)',
    },
    choices: { title: 'Choices', description: 'As for @imports.', type: 'object', factory: 'JSONField' },
  },
  required: ['import'],
};
