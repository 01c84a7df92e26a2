import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { packageFolder } from '../../../lib/process/process.ts';
import { scaleChoices } from './content.ts';
import type { Choices, Panel, Setting } from './panel.ts';
import { choice, flag, json, line, lines, list, picture, whole } from './setting-forms.ts';

/** Members of every setting in this file. The panels of sites that are not known as Plone's leave such settings out. */
const INERT = {
  description: 'Without effect in Canopy: it is kept for clients of Plone that read it.',
  withoutEffect: true,
} as const;

const common = { name: Type.String(), title: Type.String() };
const text = { ...common, default: Type.String() };

const Declaration = Type.Union([
  Type.Object({ ...common, kind: Type.Literal('flag'), default: Type.Boolean() }),
  Type.Object({ ...text, kind: Type.Literal('line') }),
  Type.Object({ ...text, kind: Type.Literal('lines') }),
  Type.Object({ ...common, kind: Type.Literal('picture'), maxLength: Type.Number() }),
  Type.Object({ ...common, kind: Type.Literal('list'), default: Type.Array(Type.String()) }),
  Type.Object({ ...common, kind: Type.Literal('json'), default: Type.Record(Type.String(), Type.Unknown()) }),
  Type.Object({
    ...common,
    ...{ kind: Type.Literal('whole'), default: Type.Number(), minimum: Type.Number(), maximum: Type.Number() },
  }),
  Type.Object({
    ...text,
    kind: Type.Literal('choice'),
    /** Tokens with their titles, or the scales of pictures of the site. */
    choices: Type.Union([Type.Literal('scales'), Type.Array(Type.Tuple([Type.String(), Type.String()]))]),
  }),
]);

const Groups = Compile(
  Type.Array(
    Type.Object({
      panel: Type.String(),
      /** The setting of the panel that these settings follow in its form. */
      after: Type.String(),
      /** Prefix of their names in `@registry`, `plone.` unless given. */
      records: Type.Optional(Type.String()),
      settings: Type.Array(Declaration),
    }),
  ),
);

type Declared = Type.Static<typeof Declaration>;

function settingOf(declared: Declared, records: string): Setting {
  const { name, title } = declared;
  const form = { ...INERT, title, record: `${records}${name}` };
  switch (declared.kind) {
    case 'flag':
      return flag(name, { ...form, default: declared.default });
    case 'line':
      return line(name, { ...form, default: declared.default });
    case 'lines':
      return lines(name, { ...form, default: declared.default });
    case 'picture':
      return picture(name, { ...form, maxLength: declared.maxLength });
    case 'list':
      return list(name, { ...form, default: declared.default });
    case 'json':
      return json(name, { ...form, default: declared.default });
    case 'whole': {
      const { default: value, minimum, maximum } = declared;
      return whole(name, { ...form, default: value, minimum, maximum });
    }
    case 'choice': {
      const choices: Choices | 'scales' = declared.choices;
      return choice(name, {
        ...form,
        default: declared.default,
        choices: choices === 'scales' ? scaleChoices : () => choices,
      });
    }
  }
}

/**
 * Adds the settings of Plone without an effect in Canopy, which clients of Plone read and write, from `profiles/plone-settings.json`. Throws when the
 * file does not fit the panels.
 */
export function withPloneSettings(panels: readonly Panel[]): Panel[] {
  const groups: unknown = JSON.parse(readFileSync(join(packageFolder('profiles'), 'plone-settings.json'), 'utf8'));
  if (!Groups.Check(groups)) throw new Error('profiles/plone-settings.json has an entry that is no setting');
  return panels.map((panel, at) => {
    // A second panel of one name is an error, which the registry reports.
    if (panels.findIndex(({ id }) => id === panel.id) < at) return panel;
    const settings = [...panel.settings];
    for (const { after, records = 'plone.', settings: declared } of groups.filter(
      (group) => group.panel === panel.id,
    )) {
      const place = settings.findIndex(({ name }) => name === after);
      if (place === -1) throw new Error(`The panel ${panel.id} has no setting "${after}"`);
      settings.splice(place + 1, 0, ...declared.map((one) => settingOf(one, records)));
    }
    return settings.length === panel.settings.length ? panel : { ...panel, settings };
  });
}
