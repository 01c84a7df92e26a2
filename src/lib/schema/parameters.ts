import { type TSchemaOptions, Type } from 'typebox';

/** A whole number of a query, with the error message of plone.restapi. */
export const IntegerParameter = (name: string, options: TSchemaOptions = {}) =>
  Type.Integer({ reject: `Invalid ${name}: Not an integer`, ...options });

/** A truth value of a query, with the error message of plone.restapi. */
export const BooleanParameter = (name: string, options: TSchemaOptions = {}) =>
  Type.Boolean({ reject: `Invalid ${name}: Not a boolean. Use true or false.`, ...options });
