import { Type } from 'typebox';
import { PANEL } from '../../control-panels/panel-json.ts';

/** A content type in the control panel, for descriptions. */
export const PanelType = Type.Object({
  ...PANEL,
  description: Type.String(),
  items: Type.Array(Type.Unknown()),
});

const SETTINGS = {
  description: Type.Optional(Type.Unknown({ description: 'What content of the type is.' })),
  allowed_content_types: Type.Optional(Type.Unknown({ description: 'Ids of the types that may be added inside.' })),
  filter_content_types: Type.Optional(
    Type.Unknown({ description: 'Whether only these may be added; otherwise all that may be added anywhere.' }),
  ),
};

/** The body that makes a type; behaviors are switches beside the settings. */
export const NewType = Type.Object(
  {
    title: Type.Optional(Type.Unknown({ description: 'How people call it. It must be there.' })),
    id: Type.Optional(Type.Unknown({ description: 'Its name in `@type`; the title unless given.' })),
    ...SETTINGS,
  },
  { additionalProperties: true, examples: [{ title: 'Recipe', description: 'Something to cook', blocks: true }] },
);

/** The body that changes a type. */
export const ChangedType = Type.Object(
  { title: Type.Optional(Type.Unknown({ description: 'How people call it.' })), ...SETTINGS },
  { additionalProperties: true, examples: [{ title: 'Cooking recipe', 'plone.richtext': true }] },
);
