/**
 * The text form of one parameter, the same for both engines; their drivers differ (time zones,
 * booleans, objects). `undefined` is NULL. Objects are refused: JSON is passed as a string, with
 * `::jsonb` in the statement.
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

/** ISO 8601 in UTC. Years that JavaScript writes with a sign are written as PostgreSQL reads them. */
function encodeDate(value: Date): string {
  const iso = value.toISOString();
  if (iso[0] !== '+' && iso[0] !== '-') return iso;
  const year = value.getUTCFullYear();
  const rest = iso.slice(7);
  // There is no year 0 before Christ: the astronomical year 0 is 1 BC.
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`;
}

/** An array literal. Each item is quoted, so that none is taken for NULL or for syntax. */
function encodeArray(items: readonly unknown[]): string {
  const encoded = items.map((item) => {
    const text = encodeParameter(item);
    if (text === null) return 'NULL';
    if (Array.isArray(item)) return text;
    return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return `{${encoded.join(',')}}`;
}
