/**
 * Schemas that the declarations of many services share. Beside the keywords of JSON Schema the check of requests reads
 *
 * - `message`: the text of a value that does not fit, or texts by the keyword that failed (`required`, `maxLength` …, and
 * `other` for the rest); of an object, a list or a union it also stands for problems inside, unless the inner schema has its own,
 * - `reject`: the same, as the message of the entire response, where clients expect a plain error without fields,
 * - `trim`: white space around a text of the query does not count, and an empty text is absent,
 * - `commas`: a list of the query may also be separated by commas.
 *
 * The description of the API has none of these keywords. Rules that no keyword can say are refinements (`Type.Refine`); values that `run` is to get
 * in another form than JSON's are decoded (`Type.Decode`).
 */
import {
  type TArrayOptions,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchemaOptions,
  type TStringOptions,
  Type,
} from 'typebox';
import { IntegerParameter } from '../../lib/schema/parameters.ts';
import { parseInstant } from '../../lib/time/iso-date.ts';

export { Address, AnyObject, Extensible, Nullable } from '../../lib/schema/shapes.ts';

/** One text for the keyword `message` or `reject`, also when the member is missing. */
export const inEveryCase = (text: string) => ({ required: text, other: text });

/** An object whose further members the service reads, too, such as the fields of content. */
export type Open<Properties extends TProperties = TProperties> = TObject<Properties> & { additionalProperties: true };

/**
 * An object whose undeclared members `run` gets as well, as values of unknown type. Without properties it is the body of a service that uses no
 * members: clients may send an empty object.
 */
export const OpenObject = <Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
): Open<Properties> => Object.assign(Type.Object(properties, options), { additionalProperties: true } as const);

/** Schema of a change of an object (PATCH): all members are optional and get no defaults. */
export function Changes<Properties extends TProperties>(object: TObject<Properties>, options: TObjectOptions = {}) {
  const changes = Type.Partial(object, options);
  for (const member of Object.values(changes.properties)) Reflect.deleteProperty(member, 'default');
  return changes;
}

/** A member that clients send back from a response, or send with every request; it changes nothing. */
export const SentBack = Type.Unknown({ description: 'As in responses. It changes nothing.' });

/** Members of these names, as `SentBack`. */
export const sentBack = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(SentBack)]));

/** One of a few texts. */
export const Choice = <Values extends string[]>(values: readonly [...Values], options: TSchemaOptions = {}) =>
  Type.Enum(values, { message: `must be one of ${values.join(', ')}`, ...options });

/**
 * A text that the database can hold: without U+0000 and lone surrogates. `maxLength` counts as JavaScript does; for a plain string of typebox it
 * counts visible characters, each of which may be very long.
 */
export const Text = (options: TStringOptions = {}) => {
  const { maxLength = Number.MAX_SAFE_INTEGER } = options;
  const message = { maxLength: `must have at most ${maxLength} characters`, other: 'must be a text' };
  return Type.Refine(
    Type.Refine(
      Type.String({ message, ...options }),
      (text) => text.length <= maxLength,
      () => message.maxLength,
    ),
    (text) => !text.includes('\u0000') && text.isWellFormed(),
    () => 'must be well-formed text without U+0000',
  );
};

/** A parameter of a query with words in it: white space around them does not count, and a text without words counts as absent. */
export const Words = (options: TStringOptions = {}) => Type.String({ trim: true, ...options });

/** A list of names in a query: repeated, or separated by commas. */
export const Tokens = (options: TArrayOptions = {}) => Type.Array(Type.String(), { commas: true, ...options });

/** A date and time as clients write it, ISO 8601 with or without an offset (UTC) or a date alone. `run` gets a Date. */
export const Instant = (options: TStringOptions = {}) =>
  Type.Decode(
    Type.Refine(
      Type.String({
        message: 'Is not a date and time, such as 2026-05-01T10:00:00Z.',
        examples: ['2026-05-01T10:00:00Z'],
        ...options,
      }),
      (text) => parseInstant(text) !== undefined,
    ),
    (text) => parseInstant(text) ?? new Date(Number.NaN),
  );

/** A whole number of the query; `run` gets it between the bounds. */
const bounded = (name: string, [least, most]: [number, number], options: TSchemaOptions) =>
  Type.Decode(IntegerParameter(name, options), (value) => Math.min(most, Math.max(least, value)));

/** The requested number of items of a response, limited to `most`. */
export const BatchSize = (
  what: string,
  { most, least = 0, otherwise, ...options }: { most: number; least?: number; otherwise?: string } & TSchemaOptions,
) =>
  bounded('b_size', [least, most], {
    description: `Most ${what} in the response; ${most} at once${otherwise === undefined ? '' : `, and ${otherwise}, unless given`}.`,
    ...options,
  });

/**
 * The parameters of a list that comes in parts (plone.restapi §6.1). `what` names its items; `most` is the maximum number of items in one response. A
 * number out of bounds counts as the nearest allowed number.
 */
export const Batching = (what: string, { size, most = 10_000 }: { size: number; most?: number }) => ({
  b_start: bounded('b_start', [0, Number.MAX_SAFE_INTEGER], {
    description: `Number of ${what} to skip.`,
    default: 0,
  }),
  b_size: BatchSize(what, { most, default: size }),
});
