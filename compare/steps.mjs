// The requests of the comparison: folders of JSON, read into a list of single requests in their order.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/lib/root.mjs';

const FOLDER = join(ROOT, 'compare/requests');
const FILES = join(ROOT, 'compare/files');

const listOf = (value) => (Array.isArray(value) ? value : [value]);

/** The single requests that one entry of a file stands for. */
function expand(entry, subject) {
  return listOf(entry.send).flatMap((line) =>
    listOf(entry.as ?? 'Manager').map((as) => {
      const [method, ...path] = line.split(' ');
      return {
        subject,
        as,
        method,
        path: path.join(' '),
        body: entry.body,
        raw: entry.raw,
        headers: entry.headers ?? {},
        keep: entry.keep ?? {},
      };
    }),
  );
}

/** The subjects in the order in which they run: the order of their file names. */
export function subjects() {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => name.replace(/^\d+-|\.json$/g, ''));
}

/** All requests, in their order. Those of `content` are always included, because the others need the content. */
export function loadSteps(only) {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const subject = name.replace(/^\d+-|\.json$/g, '');
      if (only !== undefined && subject !== 'content' && !only.includes(subject)) return [];
      return JSON.parse(readFileSync(join(FOLDER, name), 'utf8')).flatMap((entry) => expand(entry, subject));
    });
}

/** A value with the names in double braces replaced: by values from earlier responses, and by files as base64. */
export function fill(value, kept) {
  if (typeof value === 'string')
    return value.replace(/\{\{([^}]+)\}\}/g, (_, name) => {
      if (name.startsWith('file:')) return readFileSync(join(FILES, name.slice(5))).toString('base64');
      return kept.get(name) ?? `no-${name}`;
    });
  if (Array.isArray(value)) return value.map((item) => fill(item, kept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [fill(key, kept), fill(inner, kept)]));
}

/** The value at a path such as `items.0.UID` in a body. */
export const valueAt = (body, path) => path.split('.').reduce((value, key) => value?.[key], body);
