// The English of a file: comments, titles of tests, documents, messages.
import { parseSync } from 'oxc-parser';

const lineAt = (text, at) => text.slice(0, at).split('\n').length;

/** Titles of tests in a source: the first text of `it`, `test` and `describe`, also of their variants. */
const TITLE = /^\s*(?:it|test|describe\w*)(?:\.\w+)*\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm;

function ofSource(path, text) {
  const comments = parseSync(path, text).comments.map(({ value, start }) => ({
    kind: 'comment',
    text: value,
    line: lineAt(text, start),
  }));
  const titles = path.startsWith('test/')
    ? [...text.matchAll(TITLE)].map((match) => ({ kind: 'title', text: match[2], line: lineAt(text, match.index) }))
    : [];
  return [...comments, ...titles];
}

/** Lines of a text that `isText` accepts, each by itself. */
const ofLines = (text, kind, isText) =>
  text.split('\n').flatMap((line, i) => (isText(line) ? [{ kind, text: line, line: i + 1 }] : []));

function ofDocument(text) {
  let inCode = false;
  return ofLines(text, 'document', (line) => {
    if (/^\s*```/.test(line)) inCode = !inCode;
    return !inCode && !line.startsWith('    ');
  });
}

/** Returns the sentences of a file as `{ path, line, kind, text }`; the kind is comment, title, document or message. */
export function findSentences(path, text) {
  const found = () => {
    if (path.endsWith('.md')) return ofDocument(text);
    if (path.endsWith('.sql')) return ofLines(text, 'comment', (line) => line.startsWith('--'));
    if (path.endsWith('.pot')) return ofLines(text, 'message', (line) => line.startsWith('msgid '));
    return ofSource(path, text);
  };
  return found().map((sentence) => ({ path, ...sentence }));
}
