import { IsCodec, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { HasCodec } from 'typebox/value';
import { isJsonObject, type JsonObject } from '../json-object.ts';

/** Decodes a value that fits its schema by the codecs of the schema. Objects are changed in place. */
export type Decoder = (value: unknown) => unknown;

/**
 * The decoder of a schema (`Type.Decode`); undefined for a schema without codecs. It is made once; the decoder of typebox would walk the schema for
 * every value. Throws for a codec at an unsupported place: a mistake of a programmer.
 */
export function decoderOf(schema: TSchema): Decoder | undefined {
  const decoder = decoderIn(schema);
  if (!decoder && HasCodec(schema)) throw new Error('A schema has a codec in a place where none is looked for');
  return decoder;
}

function decoderIn(schema: unknown): Decoder | undefined {
  if (!isJsonObject(schema)) return undefined;
  const inner = memberDecoder(schema) ?? itemDecoder(schema) ?? variantDecoder(schema) ?? partDecoder(schema);
  if (!IsCodec(schema)) return inner;
  const { decode } = schema['~codec'];
  return inner ? (value) => decode(inner(value)) : (value) => decode(value);
}

/** Decodes the declared members of an object, and all members of a record. */
function memberDecoder({ properties, patternProperties }: JsonObject): Decoder | undefined {
  if (!isJsonObject(properties)) return recordDecoder(patternProperties);
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const decode = decoderIn(member);
    return decode ? [{ name, decode }] : [];
  });
  if (members.length === 0) return undefined;
  return (value) => {
    if (!isJsonObject(value)) return value;
    for (const { name, decode } of members) if (Object.hasOwn(value, name)) value[name] = decode(value[name]);
    return value;
  };
}

function recordDecoder(patterns: unknown): Decoder | undefined {
  const [decode] = isJsonObject(patterns) ? Object.values(patterns).map(decoderIn) : [];
  if (!decode) return undefined;
  return (value) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decode(member)]))
      : value;
}

function itemDecoder({ items }: JsonObject): Decoder | undefined {
  const decode = decoderIn(items);
  return decode && ((value) => (Array.isArray(value) ? value.map(decode) : value));
}

/** Decodes by the first variant of a union that the value fits. */
function variantDecoder({ anyOf }: JsonObject): Decoder | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  const variants = anyOf
    .filter(isJsonObject)
    .map((variant) => ({ fits: Compile(variant), decode: decoderIn(variant) }));
  if (variants.every(({ decode }) => !decode)) return undefined;
  return (value) => {
    const variant = variants.find(({ fits }) => fits.Check(value));
    return variant?.decode ? variant.decode(value) : value;
  };
}

/** Decodes an intersection, part by part. */
function partDecoder({ allOf }: JsonObject): Decoder | undefined {
  const parts = Array.isArray(allOf) ? allOf.flatMap((part) => decoderIn(part) ?? []) : [];
  return parts.length === 0 ? undefined : (value) => parts.reduce((decoded, decode) => decode(decoded), value);
}
