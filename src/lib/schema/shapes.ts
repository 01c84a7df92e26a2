/** Schemas of JSON that requests and responses share, beside those of typebox. */
import {
  type Static,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TUnsafe,
  Type,
} from 'typebox';
import type { JsonObject } from '../json-object.ts';

/** The address of something on the site or elsewhere. */
export const Address = Type.String({ format: 'uri' });

/** A value or null. */
export const Nullable = <Schema extends TSchema>(schema: Schema, options: TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** An object of JSON with any members. */
export const AnyObject = (options: TObjectOptions = {}) =>
  Type.Record(Type.String(), Type.Unknown(), { message: 'must be an object', ...options });

/**
 * An object of responses with members beyond its declared ones. Use it only for objects that depend on the site or the request by their nature:
 * fields of content, columns of listings, components. All other objects declare all members.
 */
export const Extensible = <Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
): TUnsafe<Static<TObject<Properties>> & JsonObject> =>
  Type.Unsafe(Type.Object(properties, { ...options, additionalProperties: true }));
