import { Type } from 'typebox';

/** What each control panel is served with, for descriptions: its form and its values. */
export const PANEL = {
  '@id': Type.String(),
  title: Type.String(),
  group: Type.String(),
  schema: Type.Object(
    {
      fieldsets: Type.Array(
        Type.Object({ id: Type.String(), title: Type.String(), fields: Type.Array(Type.String()) }),
      ),
      properties: Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
      required: Type.Array(Type.String()),
    },
    { additionalProperties: true },
  ),
  data: Type.Object({}, { additionalProperties: true }),
};
