import { type TProperties, type TSchema, Type } from 'typebox';
import { Address, Extensible, Nullable } from '../../lib/schema/shapes.ts';
import type { BlockRegistry } from './block.ts';
import type { Field } from './content-type.ts';

/** The JSON of a value that is set, in both directions. The field decides if null is possible as well. */
export type ValueShape = {
  /** As responses have it. */
  read: TSchema;
  /** The value in bodies of clients, without other forms that the server takes from old clients. */
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

const Share = Type.Number({ minimum: 0, maximum: 1 });

const FocalPoint = Type.Object(
  { x: Share, y: Share },
  { $id: 'FocalPoint', description: 'Shares of the width and height of a picture from its upper left corner.' },
);

const Crop = Type.Object(
  { x: Share, y: Share, width: Share, height: Share },
  { $id: 'Crop', description: 'The part of a picture that a scale shows, as shares of its width and height.' },
);

const Crops = Type.Record(Type.String(), Crop, { description: 'Crops by the names of scales.' });

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
    focal_point: Type.Optional(FocalPoint),
    crops: Type.Optional(Crops),
  },
  { $id: 'ImageValue' },
);

const DECLARED = {
  encoding: Type.Optional(Type.Enum(['base64', 'utf-8', 'hex'])),
  filename: Type.Optional(Type.String()),
  'content-type': Type.Optional(Type.String()),
};

/** A new file. */
export const NewFile = Type.Object({ data: Type.String(), ...DECLARED }, { $id: 'NewFile' });

/** A new picture with its marks, or without data the marks of the present one. */
export const NewImage = Type.Object(
  {
    data: Type.Optional(Type.String({ description: 'Without it the present picture stays.' })),
    ...DECLARED,
    focal_point: Type.Optional(Nullable(FocalPoint)),
    crops: Type.Optional(Nullable(Crops)),
  },
  { $id: 'NewImage' },
);

/** Formatted text. */
export const RichText = Type.Object(
  { data: Type.String(), 'content-type': Type.String(), encoding: Type.String() },
  { $id: 'RichText' },
);

/** The summary of another object in a field. */
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

/** The name of a type of block in components: `__button` is `ButtonBlock`, `gridBlock` is `GridBlock`. */
const blockName = (type: string): string =>
  `${type
    .replace(/Block$/, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Block`;

/** A block of an unknown type, or with undeclared values. */
const OtherBlock = Extensible({ '@type': Type.Optional(Type.String()) }, { $id: 'OtherBlock' });

const optional = (members: TProperties): TProperties =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, Type.Optional(member)]));

/** A block in responses: a block of a known type, distinguished by `@type`, or any other block. The server stores blocks of all types. */
export function blockShape(blocks: Pick<BlockRegistry, 'members'>): TSchema {
  const known = blocks.members.map(([type, members]) =>
    Extensible({ '@type': Type.Literal(type), ...optional(members) }, { $id: blockName(type) }),
  );
  return Type.Union([...known, OtherBlock], { $id: 'Block' });
}

/** The limits of a text for a schema. */
export const textLimits = ({ minLength, maxLength }: Pick<Field, 'minLength' | 'maxLength'>) => ({
  ...(minLength === undefined ? {} : { minLength }),
  ...(maxLength === undefined ? {} : { maxLength }),
});

/** The limits of a number for a schema. */
export const numberLimits = ({ minimum, maximum }: Pick<Field, 'minimum' | 'maximum'>) => ({
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
});

/** A text that stored content may have, and a text within the limits of a field. */
export const textShape = (field: Field): ValueShape => ({
  read: Type.String(),
  write: Type.String(textLimits(field)),
});
