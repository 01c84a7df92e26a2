import { type TSchema, Type } from 'typebox';
import { Address, Extensible, Nullable } from '../../lib/schema/shapes.ts';
import type { Field } from './content-type.ts';

/** The JSON of a value that is set, in the two directions. Null beside it is said by the field. */
export type ValueShape = {
  /** As responses have it. */
  read: TSchema;
  /** As clients may send it. Other forms that the server takes for old clients are left out. */
  write: TSchema;
};

/** The shape of a value that is the same in both directions. */
export const sameShape = (schema: TSchema): ValueShape => ({ read: schema, write: schema });

/** A value of a vocabulary. */
export const Term = Type.Object({ token: Type.String(), title: Type.String() }, { $id: 'Term' });

/** A file in responses. */
export const FileValue = Type.Object(
  {
    filename: Type.String(),
    'content-type': Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    download: Address,
  },
  { $id: 'FileValue' },
);

const Scale = Type.Object({ width: Type.Integer(), height: Type.Integer(), download: Address });

/** A picture in responses. */
export const ImageValue = Type.Object(
  {
    filename: Type.String(),
    'content-type': Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    width: Type.Integer({ description: 'Pixels; -1 when the picture cannot be measured.' }),
    height: Type.Integer(),
    download: Address,
    scales: Type.Record(Type.String(), Scale),
  },
  { $id: 'ImageValue' },
);

/** A new file. */
export const NewFile = Type.Object(
  {
    data: Type.String(),
    encoding: Type.Optional(Type.Enum(['base64', 'utf-8', 'hex'])),
    filename: Type.Optional(Type.String()),
    'content-type': Type.Optional(Type.String()),
  },
  { $id: 'NewFile' },
);

/** Formatted text. */
export const RichText = Type.Object(
  { data: Type.String(), 'content-type': Type.String(), encoding: Type.String() },
  { $id: 'RichText' },
);

/** Another object in short, as fields have it. */
export const Summary = Extensible(
  {
    '@id': Address,
    '@type': Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    review_state: Type.Optional(Nullable(Type.String())),
  },
  { $id: 'Summary' },
);

/** The blocks of a page by their ids. The server stores blocks of any type with any members. */
export const Block = Extensible({ '@type': Type.Optional(Type.String()) }, { $id: 'Block' });

/** The limits of a text, as a schema has them. */
export const textLimits = ({ minLength, maxLength }: Pick<Field, 'minLength' | 'maxLength'>) => ({
  ...(minLength === undefined ? {} : { minLength }),
  ...(maxLength === undefined ? {} : { maxLength }),
});

/** The limits of a number, as a schema has them. */
export const numberLimits = ({ minimum, maximum }: Pick<Field, 'minimum' | 'maximum'>) => ({
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
});

/** A text that stored content may have, and a text within the limits of a field. */
export const textShape = (field: Field): ValueShape => ({
  read: Type.String(),
  write: Type.String(textLimits(field)),
});
