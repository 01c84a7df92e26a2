/** Names of languages, well-formed language tokens, and the language that a reader gets. */

const TOKEN = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/;

/** Maximum number of characters, and of ranges, of an Accept-Language header that are read. */
const HEADER_LIMIT = 2000;
const RANGE_LIMIT = 50;

/** Says if a text is a well-formed BCP 47 language tag in any case, such as `en`, `pt-br` or `zh-Hant-TW`. */
export function isLanguageToken(text: string): boolean {
  if (!TOKEN.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    // Intl reports a malformed tag only by an error.
    return false;
  }
}

/** Names by display language. They take a millisecond to make; a site has few, so a full map is simply emptied. */
const namesByDisplay = new Map<string, Intl.DisplayNames>();

function languageNames(display: string): Intl.DisplayNames {
  const known = namesByDisplay.get(display);
  if (known) return known;
  if (namesByDisplay.size >= 50) namesByDisplay.clear();
  const names = new Intl.DisplayNames([display, 'en'], {
    type: 'language',
    languageDisplay: 'standard',
    fallback: 'none',
  });
  namesByDisplay.set(display, names);
  return names;
}

/**
 * The name of a language for people: `pt-br` is `Portuguese (Brazil)`. `display` is the language of the name; a malformed one counts as English. A
 * token that names no known language is its own title.
 */
export function languageTitle(token: string, display = 'en'): string {
  if (!isLanguageToken(token)) return token;
  const language = new Intl.Locale(token).baseName;
  return languageNames(isLanguageToken(display) ? display : 'en').of(language) ?? token;
}

/** The names of languages in themselves, by their well-formed tokens. */
const ownNames = new Map<string, string>();

/** The name of a language in the language itself; undefined for a token that is not well-formed. */
export function ownLanguageTitle(token: string): string | undefined {
  return ownNames.get(token) ?? (isLanguageToken(token) ? nativeLanguageTitle(token) : undefined);
}

/** The name of a language in the language itself, so that people find their own language: `nl` is `Nederlands`. */
export function nativeLanguageTitle(token: string): string {
  const known = ownNames.get(token);
  if (known !== undefined) return known;
  const title = languageTitle(token, token).replace(/^./u, (letter) => letter.toUpperCase());
  if (!isLanguageToken(token)) return title;
  if (ownNames.size >= 1000) ownNames.clear();
  ownNames.set(token, title);
  return title;
}

type Range = { tag: string; quality: number };

function parseRanges(header: string): Range[] {
  const ranges: Range[] = [];
  for (const part of header.slice(0, HEADER_LIMIT).toLowerCase().split(',').slice(0, RANGE_LIMIT)) {
    const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    const known = tag === '*' || TOKEN.test(tag);
    // RFC 9110, 12.4.2: 0 to 1 with at most three decimals. A range with a malformed weight is ignored.
    if (known && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)) ranges.push({ tag, quality: Number(weight) });
  }
  return ranges;
}

/** The precision with which a range names a language: 0 for another language, 1 for `*`, more for each subtag. */
function precision(range: string, token: string): number {
  if (range === '*') return 1;
  return token === range || token.startsWith(`${range}-`) ? 1 + range.split('-').length : 0;
}

/**
 * The language among `available` that fits an Accept-Language header best (RFC 9110, 12.5.4, with the lookup of RFC 4647: a reader of `de-AT` gets
 * `de` if `de-at` is not available; a reader of `pt` gets `pt-br`). Returns `fallback` when the header is absent or malformed, names no available
 * language, or any language (`*`). Only the first 2,000 characters and 50 ranges are read. Other results are members of `available`, unchanged.
 */
export function negotiateLanguage(
  acceptLanguage: string | undefined,
  available: readonly string[],
  fallback: string,
): string {
  if (acceptLanguage === undefined) return fallback;
  const ranges = parseRanges(acceptLanguage);
  const acceptable = available.filter((token) => {
    const closest = ranges
      .map((range) => ({ range, precision: precision(range.tag, token.toLowerCase()) }))
      .reduce((best, next) => (next.precision > best.precision ? next : best), {
        range: { tag: '', quality: 1 },
        precision: 0,
      });
    return closest.range.quality > 0;
  });
  const wishes = ranges.filter((range) => range.quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { tag } of wishes) {
    if (tag === '*') return acceptable.includes(fallback) ? fallback : (acceptable[0] ?? fallback);
    for (let range = tag; range !== ''; range = range.slice(0, Math.max(range.lastIndexOf('-'), 0))) {
      const exact = acceptable.find((token) => token.toLowerCase() === range);
      const narrower =
        range === tag ? acceptable.find((token) => token.toLowerCase().startsWith(`${range}-`)) : undefined;
      const found = exact ?? narrower;
      if (found !== undefined) return found;
    }
  }
  return fallback;
}
