// Writing the template and the catalogues in the format of gettext.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { po } from 'gettext-parser';

const PLACEHOLDER = /\{([a-z][A-Za-z0-9]*)\}/g;

/** A message without the names of its placeholders, which change when variables are renamed. */
const shapeOf = (id) => id.replace(PLACEHOLDER, '{}');
const namesOf = (id) => [...id.matchAll(PLACEHOLDER)].map(([, name]) => name);

const headersOf = (language) => ({
  'Project-Id-Version': 'canopy',
  Language: language,
  'MIME-Version': '1.0',
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Transfer-Encoding': '8bit',
});

function write(path, file) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${po.compile(file, { sort: true, foldLength: 0 }).toString().trimEnd()}\n`);
}

const entry = (id, text, places) => ({
  msgid: id,
  msgstr: [text],
  comments: { reference: [...places].sort().join('\n') },
});

const fileOf = (language, entries, obsolete = {}) => ({
  charset: 'utf-8',
  headers: headersOf(language),
  translations: { '': { '': { msgid: '', msgstr: [''] }, ...Object.fromEntries(entries) } },
  obsolete: { '': obsolete },
});

/** The template, from which tools for translators start a new language. */
export const writeTemplate = (path, messages) =>
  write(
    path,
    fileOf(
      '',
      [...messages].map(([id, places]) => [id, entry(id, '', places)]),
    ),
  );

/** A translation with new names of placeholders, matched by their order in the messages. */
function renamed(text, from, to) {
  const names = new Map(namesOf(from).map((name, index) => [name, namesOf(to)[index]]));
  return text.replace(PLACEHOLDER, (placeholder, name) => (names.has(name) ? `{${names.get(name)}}` : placeholder));
}

/**
 * Updates a catalogue to the present messages and returns how many have no translation. New messages are added without one,
 * messages that differ only in names of placeholders keep theirs, and a removed message stays as an obsolete entry.
 */
export function updateCatalogue(path, language, messages) {
  const present = existsSync(path) ? po.parse(readFileSync(path)) : { translations: {}, obsolete: {} };
  const known = { ...present.obsolete?.[''], ...present.translations[''] };
  const byShape = new Map(Object.keys(known).map((id) => [shapeOf(id), id]));
  const textOf = (id) => {
    if (known[id]?.msgstr[0]) return known[id].msgstr[0];
    const other = byShape.get(shapeOf(id));
    return other === undefined ? '' : renamed(known[other].msgstr[0] ?? '', other, id);
  };
  const entries = [...messages].map(([id, places]) => [
    id,
    { ...entry(id, textOf(id), places), ...flagsOf(known[id], places) },
  ]);
  const shapes = new Set([...messages.keys()].map(shapeOf));
  const obsolete = Object.fromEntries(
    Object.entries(known).filter(([id, { msgstr }]) => id !== '' && msgstr[0] && !shapes.has(shapeOf(id))),
  );
  write(path, fileOf(language, entries, obsolete));
  return entries.filter(([, { msgstr }]) => msgstr[0] === '').length;
}

/** The comments of translators on an entry. */
const flagsOf = (known, places) =>
  known?.comments ? { comments: { ...known.comments, reference: [...places].sort().join('\n') } } : {};
