import { type TSchemaOptions, Type } from 'typebox';
import { FieldError, fieldDefinitions, schemas } from '#core';

/** The message of a parser for a value that it rejects; undefined for an accepted value. */
function rejectionBy(parse: (value: unknown) => string, value?: unknown): string | undefined {
  try {
    parse(value);
    return undefined;
  } catch (error) {
    if (error instanceof FieldError) return error.message;
    throw error;
  }
}

/** A text under the rules of a parser, which has one message for all rules; the editor of schemas handles null. */
function ParsedText(parse: (value: unknown) => string, options: TSchemaOptions) {
  const message = rejectionBy(parse) ?? '';
  return schemas.Nullable(
    Type.Refine(
      Type.String(),
      (text) => rejectionBy(parse, text) === undefined,
      () => message,
    ),
    { message, ...options },
  );
}

/** A list whose items the editor of schemas checks: a schema for them would hide the other problems of the same list. */
const Items = (description: string, message: string) => Type.Array(Type.Unknown(), { description, message });

const SETTINGS = {
  title: Type.Optional(ParsedText(fieldDefinitions.parseTitle, { description: 'Its name in forms.' })),
  description: Type.Optional(
    ParsedText(fieldDefinitions.parseDescription, { description: 'A text that helps to fill it in.' }),
  ),
  required: Type.Optional(
    Type.Boolean({ description: 'Whether a value is needed.', message: 'Must be true or false.' }),
  ),
};

/** The body that adds a field or a fieldset. Further settings depend on the kind of the field, so the editor of schemas checks them. */
export const NewPart = Type.Object(
  {
    factory: Type.Optional(
      Type.String({
        description: '"fieldset", or the kind of the field: a title or a token of the vocabulary `Fields`.',
        message: 'Must be a text.',
      }),
    ),
    id: Type.Optional(
      Type.String({ description: 'Its name; follows from the title unless given.', message: 'Must be a text.' }),
    ),
    ...SETTINGS,
  },
  { additionalProperties: true, examples: [{ factory: 'Email', title: 'Author email', required: true }] },
);

/** The body that changes a field or a fieldset; further settings as in `NewPart`. */
export const ChangedPart = Type.Object(
  {
    ...SETTINGS,
    fields: Type.Optional(
      Items('Of a fieldset: the fields that move into it, in order.', 'Must be a list of names of fields.'),
    ),
  },
  { additionalProperties: true, examples: [{ title: 'Author e-mail', maxLength: 20, required: true }] },
);

/**
 * The body that changes the schema of a type. The editor of schemas checks each field in `properties`, because its settings depend on its kind and on
 * the other fields.
 */
export const ChangedSchema = (examples: object[]) =>
  Type.Object(
    {
      properties: Type.Optional(
        schemas.AnyObject({
          description: 'Fields by their names, each with its settings; new ones with a `factory`.',
          message: 'Must be an object of fields by their names.',
        }),
      ),
      fieldsets: Type.Optional(
        Items(
          'List of `{id, title, description?, fields}`; fields move into it in this order.',
          'Must be a list of objects with id, title and fields.',
        ),
      ),
      required: Type.Optional(
        Items('Names of the fields that may not be empty: no others.', 'Must be a list of names of fields.'),
      ),
      layouts: Type.Optional(
        Items('Names of views, the first of them the usual one.', 'Must be a list of names of views.'),
      ),
    },
    { additionalProperties: true, examples },
  );
