import { isUnspaced, wordsOf } from './text.ts';
import { type TextQuery, termsIn } from './text-query.ts';

/** The marked parts of texts: whole words, beginnings of words, and runs of scripts without spaces. */
export type Marks = { words: ReadonlySet<string>; beginnings: readonly string[]; runs: readonly string[] };

/** Maximum number of snippets of one text, and number of characters before and behind a mark. */
const MAX_SNIPPETS = 3;
const BEFORE = 60;
const BEHIND = 120;
/** Maximum number of characters of a text that are searched. */
const MAX_LENGTH = 100_000;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '');

/** Joins adjacent pairs of characters to runs, see `wordsOf`. */
function runsOf(words: readonly string[]): string[] {
  const runs: string[] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const [first = '', second = ''] = word;
    if (run?.endsWith(first)) runs[runs.length - 1] = run + second;
    else runs.push(word);
  }
  return runs;
}

/** The marks of a search text: all words that it does not exclude. */
export function marksOf(query: TextQuery | undefined): Marks {
  const words = new Set<string>();
  const beginnings: string[] = [];
  const runs: string[] = [];
  for (const { words: term, prefix, negated } of termsIn(query)) {
    if (negated) continue;
    runs.push(...runsOf(term.filter(isUnspaced)));
    const spaced = term.filter((word) => !isUnspaced(word));
    const last = spaced.at(-1);
    for (const word of spaced) if (!prefix || word !== last) words.add(word);
    if (prefix && last !== undefined && term.at(-1) === last) beginnings.push(last);
  }
  return { words, beginnings, runs };
}

/** A word of a text with its place. `folded` is the form in which it is searched. */
type PlacedWord = { start: number; end: number; folded: readonly string[]; raw: string };

function* placedWords(text: string): Generator<PlacedWord> {
  for (const { 0: raw, index } of text.slice(0, MAX_LENGTH).matchAll(WORD))
    yield { start: index, end: index + raw.length, folded: [...wordsOf(raw)], raw };
}

/** The words of a text that begin like the searched words, so that they may be forms of them; stems decide. */
export function likelyForms(text: string, { words }: Marks): Set<string> {
  const begins = new Set([...words].map((word) => word.slice(0, 3)));
  const forms = new Set<string>();
  for (const { folded } of placedWords(text))
    for (const word of folded) if (!words.has(word) && begins.has(word.slice(0, 3))) forms.add(word);
  return forms;
}

/** The places of all marks, in their order. */
function placesOf(text: string, { words, beginnings, runs }: Marks): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (const { start, end, folded, raw } of placedWords(text)) {
    if (folded.some((word) => words.has(word) || beginnings.some((beginning) => word.startsWith(beginning))))
      places.push({ start, end });
    else if (runs.length > 0) {
      const composed = raw.normalize('NFKC').toLowerCase();
      // If the composed form has another length, its places do not fit the text, and the whole word is marked.
      for (const run of runs) {
        const at = composed.indexOf(run);
        if (at !== -1)
          places.push(
            composed.length === raw.length ? { start: start + at, end: start + at + run.length } : { start, end },
          );
      }
    }
  }
  places.sort((a, b) => a.start - b.start);
  return places.filter(({ start }, at) => at === 0 || start >= (places[at - 1]?.end ?? 0));
}

/** The nearest space before a place, or the place itself without a near space. */
function fromSpace(text: string, place: number): number {
  if (place <= 0) return 0;
  const space = text.indexOf(' ', place);
  return space !== -1 && space - place < 20 ? space + 1 : place;
}

function toSpace(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const space = text.lastIndexOf(' ', place);
  return space !== -1 && place - space < 20 ? space : place;
}

/**
 * The parts of a text with marks, as escaped HTML with `<mark>` as the only tag; with `whole` the whole text, for titles. Empty for a text without
 * marks.
 */
export function snippetsOf(source: string, marks: Marks, { whole = false } = {}): string[] {
  const text = source.replace(/\s+/g, ' ').trim();
  const places = placesOf(text, marks);
  const snippets: string[] = [];
  let at = 0;
  while (at < places.length && snippets.length < MAX_SNIPPETS) {
    const first = places[at]?.start ?? 0;
    const from = whole ? 0 : fromSpace(text, first - BEFORE);
    const to = whole ? text.length : toSpace(text, Math.max(first + BEHIND, places[at]?.end ?? 0));
    let html = from > 0 ? '…' : '';
    let last = from;
    for (let place = places[at]; place && place.end <= to; place = places[at]) {
      html += `${escaped(text.slice(last, place.start))}<mark>${escaped(text.slice(place.start, place.end))}</mark>`;
      last = place.end;
      at += 1;
    }
    if (last === from) break;
    snippets.push(`${html}${escaped(text.slice(last, to))}${to < text.length ? '…' : ''}`);
  }
  return snippets;
}
