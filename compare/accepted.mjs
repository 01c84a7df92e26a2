// The reviewed list of differences: which of them are accepted, and why.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/lib/root.mjs';

const LIST = join(ROOT, 'compare/accepted.json');
const DOCUMENT = join(ROOT, 'docs/differences-from-plone.md');

const listOf = (value) => (value === undefined ? undefined : Array.isArray(value) ? value : [value]);

/** A pattern in which `*` stands for any text. */
const pattern = (text) =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

/** Finds the pattern that a text matches; `unseen` returns the patterns that no text has matched. */
function matcher(patterns) {
  const all = listOf(patterns)?.map((text) => ({ text, form: pattern(text), seen: 0 }));
  return {
    find: (text) => (all === undefined ? { seen: 0 } : all.find(({ form }) => form.test(text))),
    unseen: () => (all ?? []).filter(({ seen }) => seen === 0).map(({ text }) => text),
  };
}

/** Says if a value is the expected one or one of a list of expected ones; true without an expected value. */
const equal = (wanted, value) =>
  wanted === undefined || listOf(wanted).some((one) => JSON.stringify(one) === JSON.stringify(value));

const isText = (value) => typeof value === 'string';

/** Rules by which two different values count as equal. */
const SAME = {
  instant: (left, right) =>
    isText(left) && isText(right) && left.slice(0, 19) === right.slice(0, 19) && /^\d{4}-/.test(left),
  text: (left, right) => isText(left) && isText(right),
  empty: (left, right) => [left, right].every((value) => ['""', 'null', '[]', '{}'].includes(JSON.stringify(value))),
  number: (left, right) => [left, right].every((value) => typeof value === 'number'),
};

function compile(entry) {
  const request = matcher(entry.requests);
  const at = matcher(entry.at);
  const kinds = listOf(entry.kind);
  const callers = listOf(entry.as);
  return {
    entry,
    /** Notes and returns whether the entry explains the difference. */
    accepts(step, difference) {
      const found = [request.find(`${step.method} ${step.path}`), at.find(difference.at)];
      const fits =
        found.every(Boolean) &&
        (kinds === undefined || kinds.includes(difference.kind)) &&
        (callers === undefined || callers.includes(step.as)) &&
        (entry.same === undefined || SAME[entry.same](difference.plone, difference.canopy)) &&
        equal(entry.plone, difference.plone) &&
        equal(entry.canopy, difference.canopy);
      if (fits) for (const one of found) one.seen += 1;
      return fits;
    },
    unseen: () => [...request.unseen(), ...at.unseen()],
  };
}

/** The sections of the list, each with a title and its entries. */
export const loadAccepted = () => JSON.parse(readFileSync(LIST, 'utf8'));

/**
 * A function that returns whether a difference is accepted, and one that returns what no longer differs: the entries with those
 * of their patterns that nothing matched.
 */
export function acceptance(sections = loadAccepted()) {
  const rules = sections.flatMap(({ differences }) => differences.map(compile));
  return {
    accepts(step, difference) {
      return rules.some((one) => one.accepts(step, difference));
    },
    unused: () =>
      rules
        .map(({ entry: { what }, unseen }) => ({ what, patterns: unseen() }))
        .filter(({ patterns }) => patterns.length > 0),
  };
}

const code = (values) =>
  (listOf(values) ?? [])
    .map((value) => (value === '' ? 'the whole body' : `\`${value.replaceAll('|', '\\|')}\``))
    .join(', ');

/** The document about the differences, generated from the list. */
export function documentOf(sections) {
  const parts = sections.map(({ title, text, differences }) => {
    const rows = differences.map(
      ({ what, requests, at, reason }) =>
        `| ${what} | ${[code(requests), code(at)].filter(Boolean).join('; ')} | ${reason} |`,
    );
    return [
      `## ${title}`,
      ...(text === undefined ? [] : [text]),
      `| Difference | Where | Reason |\n|---|---|---|\n${rows.join('\n')}`,
    ].join('\n\n');
  });
  return `${[
    '# Differences from Plone',
    'What a client of Plone’s REST API finds otherwise in Canopy with the profile `plone`, and why. `npm run compare` installs Plone, builds the same content in both, sends both the same requests and compares the answers. It ends with an error for a difference that is not in this list. This page is written by that program from `compare/accepted.json`.',
    'In the column “Where” are requests and places in their answers; `*` stands for anything.',
    ...parts,
  ].join('\n\n')}\n`;
}

/** Writes the document. */
export const writeDocument = () => writeFileSync(DOCUMENT, documentOf(loadAccepted()));
