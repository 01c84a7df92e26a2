import types from 'pg-types';

/** Converts the text that the database sends for one value (never NULL) into the value in a `Row`. */
type TextParser = (text: string) => unknown;

const { builtins } = types;
// The driver's type declarations lack the array types, although it has parsers for them.
const driver: { getTypeParser(oid: number): TextParser } = types;
const ARRAY_OF_TEXT = 1009;
const parseTimestamp = driver.getTypeParser(builtins.TIMESTAMPTZ);
const parseBytes = driver.getTypeParser(builtins.BYTEA);
const parseTextArray = driver.getTypeParser(ARRAY_OF_TEXT);

/** Throws for a number that JavaScript cannot represent exactly, because it would become another number. */
function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`);
  return value;
}

const asText: TextParser = (text) => text;

function arrayOf(parse: TextParser): TextParser {
  return (text) => {
    const items = parseTextArray(text);
    if (!Array.isArray(items)) throw new TypeError(`Not an array of the database: ${text}`);
    return items.map((item) => (typeof item === 'string' ? parse(item) : null));
  };
}

const parseJson: TextParser = (text) => JSON.parse(text);
const parseBoolean: TextParser = (text) => text === 't';

/**
 * The table of conversions for both engines, by type OID (`pg_type.oid`); their drivers' own tables differ. Types without an entry stay text. Dates
 * and times without a zone stay text, as a `Date` would give them the zone of the server.
 */
const COLUMN_PARSERS: Readonly<Record<number, TextParser>> = {
  [builtins.BOOL]: parseBoolean,
  [builtins.BYTEA]: parseBytes,
  [builtins.INT8]: parseInteger,
  [builtins.INT2]: Number,
  [builtins.INT4]: Number,
  [builtins.OID]: Number,
  [builtins.FLOAT4]: Number,
  [builtins.FLOAT8]: Number,
  [builtins.NUMERIC]: asText,
  [builtins.JSON]: parseJson,
  [builtins.JSONB]: parseJson,
  [builtins.DATE]: asText,
  [builtins.TIMESTAMP]: asText,
  [builtins.TIMESTAMPTZ]: parseTimestamp,
  // Arrays: bool, int2, int4, int8, float4, float8, numeric, text, varchar, name, uuid, date, timestamptz, json, jsonb.
  1000: arrayOf(parseBoolean),
  1005: arrayOf(Number),
  1007: arrayOf(Number),
  1016: arrayOf(parseInteger),
  1021: arrayOf(Number),
  1022: arrayOf(Number),
  1231: arrayOf(asText),
  [ARRAY_OF_TEXT]: parseTextArray,
  1015: parseTextArray,
  1003: parseTextArray,
  2951: parseTextArray,
  1182: parseTextArray,
  1185: arrayOf(parseTimestamp),
  199: arrayOf(parseJson),
  3807: arrayOf(parseJson),
};

/** The parser of a column of the type `oid`; text stays text. */
export function columnParser(oid: number): TextParser {
  return COLUMN_PARSERS[oid] ?? asText;
}

/**
 * The text form of one parameter, the same for both engines; their drivers differ (time zones, booleans, objects). `undefined` is NULL. Objects are
 * rejected: JSON is passed as a string, with `::jsonb` in the statement.
 */
export function encodeParameter(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return encodeDate(value);
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return encodeArray(value);
  throw new TypeError(`A value of type ${typeof value} cannot be a parameter of a statement; pass JSON as text`);
}

/** ISO 8601 in UTC. Years that JavaScript writes with a sign get PostgreSQL's form. */
function encodeDate(value: Date): string {
  const iso = value.toISOString();
  if (iso[0] !== '+' && iso[0] !== '-') return iso;
  const year = value.getUTCFullYear();
  const rest = iso.slice(7);
  // There is no year 0 before Christ: the astronomical year 0 is 1 BC.
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`;
}

/** An array literal. Each item is quoted, so that it is not parsed as NULL or as syntax. */
function encodeArray(items: readonly unknown[]): string {
  const encoded = items.map((item) => {
    const text = encodeParameter(item);
    if (text === null) return 'NULL';
    if (Array.isArray(item)) return text;
    return `"${text.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${encoded.join(',')}}`;
}
