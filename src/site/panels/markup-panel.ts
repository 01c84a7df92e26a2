import { type Choices, definePanel } from '../panel.ts';
import { choice, several, textsOf } from './setting-forms.ts';

const FORMATS: Choices = [
  ['text/html', 'HTML'],
  ['text/plain', 'Plain text'],
];

/** The formats of formatted text. */
export const markupPanel = definePanel({
  id: 'markup',
  title: 'Markup',
  group: 'Content',
  settings: [
    several('allowed_types', {
      title: 'Formats',
      description: 'Text in another format is refused, unless it is in that format already.',
      default: ['text/html', 'text/plain'],
      choices: () => FORMATS,
    }),
    choice('default_type', {
      title: 'Default format',
      description: 'The format of text that comes without one.',
      default: 'text/html',
      choices: (_site, values) => FORMATS.filter(([token]) => textsOf(values.allowed_types).includes(token)),
    }),
  ],
  check: ({ allowed_types: allowed, default_type: chosen }) =>
    textsOf(allowed).includes(String(chosen))
      ? []
      : [{ field: 'default_type', message: 'Must be one of the formats that are allowed.' }],
});
