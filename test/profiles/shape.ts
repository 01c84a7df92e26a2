import { isObject, type Json } from './load-profile.ts';

/** Returns what is wrong with a value, as texts that begin with its path; an empty list when it fits. */
export type Shape = (value: Json, where: string) => string[];

const say = (where: string, what: string, value: Json) => [`${where}: ${what}, not ${JSON.stringify(value)}`];

export const text: Shape = (value, where) => (typeof value === 'string' ? [] : say(where, 'a string', value));
export const filled: Shape = (value, where) =>
  typeof value === 'string' && value.trim() === value && value !== '' ? [] : say(where, 'a filled string', value);
export const flag: Shape = (value, where) => (typeof value === 'boolean' ? [] : say(where, 'true or false', value));
export const number: Shape = (value, where) => (typeof value === 'number' ? [] : say(where, 'a number', value));
export const anything: Shape = () => [];

export const oneOf =
  (...allowed: Json[]): Shape =>
  (value, where) =>
    allowed.includes(value) ? [] : say(where, `one of ${JSON.stringify(allowed)}`, value);

export const orNull =
  (shape: Shape): Shape =>
  (value, where) =>
    value === null ? [] : shape(value, where);

export const listOf =
  (item: Shape): Shape =>
  (value, where) =>
    Array.isArray(value) ? value.flatMap((element, i) => item(element, `${where}[${i}]`)) : say(where, 'a list', value);

/** An object with any keys and values of one shape. */
export const tableOf =
  (item: Shape): Shape =>
  (value, where) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, element]) => item(element, `${where}.${key}`))
      : say(where, 'an object', value);

/** An object with all `needed` keys, some of the `optional` ones, and no others. */
export const record =
  (needed: Record<string, Shape>, optional: Record<string, Shape> = {}): Shape =>
  (value, where) => {
    if (!isObject(value)) return say(where, 'an object', value);
    const missing = Object.keys(needed)
      .filter((key) => !(key in value))
      .map((key) => `${where}.${key}: is missing`);
    const wrong = Object.entries(value).flatMap(([key, element]) => {
      const shape = needed[key] ?? optional[key];
      return shape ? shape(element, `${where}.${key}`) : [`${where}.${key}: is not a key of this file`];
    });
    return [...missing, ...wrong];
  };
