// What two servers must differ in, their addresses, identifiers and times, under the same names.

const UID = /\b(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/g;
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const SCALE = /(@@images\/[a-z_]+-\d+)-[\w]+(\.\w+)/g;
const LOCK = /\b0\.\d{10,}-0\.\d{10,}-00105A989226:\d+\.\d+/g;
const NUMBER = /\b\d{15,20}\b/g;
/** A time as near to now as this was made by the server; others were sent by the client. */
const NEAR_MS = 2 * 24 * 3600 * 1000;

/** The shape of a time that the server made: the same text with its digits as zeros. */
function timeShape(text) {
  const time = Date.parse(text);
  return Number.isNaN(time) || Math.abs(time - Date.now()) < NEAR_MS ? text.replace(/\d/g, '0') : text;
}

function normaliseText(text, base) {
  return text
    .replaceAll(base, 'BASE')
    .replace(TOKEN, '<token>')
    .replace(LOCK, '<lock token>')
    .replace(SCALE, '$1-<hash>$2')
    .replace(UID, '<uid>')
    .replace(TIME, timeShape)
    .replace(NUMBER, '<uid>')
    .trim();
}

/** A body with the addresses, identifiers, tokens and times of one server replaced by names. `base` is its site. */
export function normalise(value, base) {
  if (typeof value === 'string') return normaliseText(value, base);
  if (Array.isArray(value)) return value.map((item) => normalise(item, base));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [normaliseText(key, base), normalise(inner, base)]),
  );
}
