import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportProblem } from '../../src/features/import/import-report.ts';
import { isJsonObject, type JsonObject } from '../../src/lib/json-object.ts';
import { sanitizeHtml } from '../../src/lib/text/sanitize-html.ts';
import type { TestSite } from '../support/site.ts';

/** A value of an export that is neither served unchanged nor in the report. */
export type Unexplained = { path: string; key: string; exported: unknown; served: unknown };

/** Keys whose values every server computes itself. */
const MADE_ANEW = new Set([
  ...['@id', '@components', '@static_behaviors', 'parent', 'items', 'items_total', 'batching', 'lock', 'is_folderish'],
  ...['type_title', 'previous_item', 'next_item', 'targetUrl', 'image_scales', 'image_field', 'version'],
  ...['working_copy', 'exportimport.conversation'],
]);

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** All exported objects below a folder, whatever their files are called. */
async function exportedObjects(directory: string): Promise<JsonObject[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: JsonObject[] = [];
  for (const entry of entries) {
    const name = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !entry.name.endsWith('.json') || /\/blobs\//.test(name)) continue;
    const value: unknown = JSON.parse(await readFile(name, 'utf8'));
    for (const one of Array.isArray(value) ? value : [value])
      if (isJsonObject(one) && typeof one['@type'] === 'string' && typeof one['@id'] === 'string') found.push(one);
  }
  return found;
}

const UID_LINK = /(?:\.\.\/)*resolveuid\/([\w.~-]+)/g;

type Frame = { base: string; root: string; pathOf: ReadonlyMap<string, string> };

/** A text without the address of its site, with links by UID as paths. */
function plainText(text: string, { base, root, pathOf }: Frame): string {
  const linked = text.replace(UID_LINK, (link, uid) => pathOf.get(uid) ?? link);
  return [base, root].filter((prefix) => prefix !== '').reduce((plain, prefix) => plain.replaceAll(prefix, ''), linked);
}

const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
const instantOf = (text: string): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);

/** A value in a form that does not depend on the server: tokens, UIDs of references, clean HTML, instants. */
function plain(value: unknown, frame: Frame): unknown {
  if (isDate(value)) return instantOf(value);
  if (typeof value === 'string') return plainText(value, frame).trim();
  if (Array.isArray(value)) return value.map((item) => plain(item, frame));
  if (!isJsonObject(value)) return value;
  if ('token' in value && 'title' in value) return plain(value.token, frame);
  if ('filename' in value && 'content-type' in value) return { file: String(value.filename).split(/[/\\]/).at(-1) };
  if (typeof value['@id'] === 'string') {
    // Of a reference only the address is compared: the rest is computed from the target when it is served.
    const id = plainText(value['@id'], frame);
    return { id: typeof value.UID === 'string' ? (frame.pathOf.get(value.UID) ?? id) : id };
  }
  if (typeof value.data === 'string' && 'content-type' in value)
    return { html: sanitizeHtml(plainText(value.data, frame)).replace(/\s+/g, ' ').trim() };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isMadeAnew(value, key))
      .map(([key, inner]) => [key, plain(inner, frame)]),
  );
}

/** Says if a member of a block is computed when it is served, such as the texts of a teaser without `overwrite`. */
const isMadeAnew = (block: JsonObject, key: string): boolean =>
  ['image_scales', 'image_field', 'overwrite'].includes(key) ||
  (block['@type'] === 'teaser' && block.overwrite !== true && ['title', 'description', 'head_title'].includes(key));

/** Says if a served value has all of an exported one; the server may add members. */
function covers(served: unknown, exported: unknown): boolean {
  if (Array.isArray(exported)) {
    return (
      Array.isArray(served) &&
      served.length === exported.length &&
      exported.every((item, index) => covers(served[index], item))
    );
  }
  if (isJsonObject(exported))
    return (
      isJsonObject(served) &&
      Object.entries(exported).every(([key, value]) => isEmpty(value) || covers(served[key], value))
    );
  return served === exported || String(served) === String(exported);
}

/**
 * Compares every value of every exported object with what the site serves to its manager and with what the report names.
 * Returns the values that nothing explains.
 * @param root address of the root in the export, such as `/Plone`
 */
export async function audit(
  site: TestSite,
  { directory, root, problems }: { directory: string; root: string; problems: readonly ImportProblem[] },
): Promise<Unexplained[]> {
  const objects = await exportedObjects(directory);
  const rootPath = root.replace(/^[a-z]+:\/\/[^/]+/, '');
  const pathIn = (raw: JsonObject): string => {
    if (raw['@type'] === 'Plone Site') return '/';
    const path = decodeURI(String(raw['@id'])).replace(/^[a-z]+:\/\/[^/]+/, '');
    return rootPath !== '' && path.startsWith(`${rootPath}/`) ? path.slice(rootPath.length) : path;
  };
  const pathOf = new Map(objects.map((raw) => [String(raw.UID), pathIn(raw)]));
  const told = new Set(problems.flatMap(({ path, key }) => [`${path}|${key}`, ...(key === null ? [`${path}|*`] : [])]));
  const isTold = (path: string, key: string) => told.has(`${path}|${key}`);
  const left = new Set(
    problems.flatMap(({ path, key, reason }) =>
      path !== null && key === null && ['object', 'present', 'unexported'].includes(reason) ? [path] : [],
    ),
  );
  const unexplained: Unexplained[] = [];
  for (const raw of objects) {
    const path = pathIn(raw);
    if (left.has(path)) continue;
    const { status, body } = await site.request('GET', path, { as: 'admin' });
    if (status !== 200) {
      unexplained.push({ path, key: '', exported: raw['@id'], served: status });
      continue;
    }
    const frame: Frame = { base: site.url, root: root === '' ? '\u0000' : root, pathOf };
    for (const [key, value] of Object.entries(raw)) {
      if (MADE_ANEW.has(key) || isEmpty(value) || isTold(path, key)) continue;
      const served = servedValue(body, key);
      if (!(await isServed(site, path, { key, value, served }, frame)))
        unexplained.push({ path, key, exported: value, served });
    }
  }
  return unexplained;
}

const servedValue = (body: JsonObject, key: string): unknown => body[key];

const ALIASES: Record<string, string> = { 'Plone Site': 'Site', Document: 'Page' };

async function isServed(
  site: TestSite,
  path: string,
  { key, value, served }: { key: string; value: unknown; served: unknown },
  frame: Frame,
): Promise<boolean> {
  if (key === '@type') return served === value || served === ALIASES[String(value)];
  if (key === 'workflow_history') return hasHistory(site, path, value);
  if (key === 'changeNote' || key === 'changeActor' || key === 'exportimport.versions')
    return hasVersions(await historyOf(site, path), key, value);
  if (key === 'language')
    return plain(value, frame) === '##DEFAULT##' || covers(plain(served, frame), plain(value, frame));
  if (key === 'effective' || key === 'expires')
    return isPlaceholder(String(value)) || plain(served, frame) === plain(value, frame);
  if (key === 'id' && path === '/') return true;
  if (key === 'exportimport.constrains' || key === 'constrains') return true;
  return covers(plain(served, frame), plain(value, frame));
}

const isPlaceholder = (date: string): boolean => {
  const year = new Date(instantOf(date)).getUTCFullYear();
  return year < 1970 || year >= 2499;
};

/** The entries of the history of an object. */
async function historyOf(site: TestSite, path: string): Promise<JsonObject[]> {
  const { body } = await site.request('GET', `${path === '/' ? '' : path}/@history`, { as: 'admin' });
  return Array.isArray(body) ? body.filter(isJsonObject) : [];
}

/** Says if the versions in a history have the numbers of exported ones, or the last of them has the note or the user. */
function hasVersions(history: readonly JsonObject[], key: string, value: unknown): boolean {
  const versions = history.filter(({ type }) => type === 'versioning');
  const last = versions[0];
  if (key === 'changeNote') return last?.comments === value;
  if (key === 'changeActor') return isJsonObject(last?.actor) && last.actor.id === value;
  const numbers = new Set(versions.map(({ version }) => String(version)));
  return isJsonObject(value) && Object.keys(value).every((number) => numbers.has(number));
}

async function hasHistory(site: TestSite, path: string, value: unknown): Promise<boolean> {
  const at = new Set((await historyOf(site, path)).map(({ time }) => Math.floor(Date.parse(String(time)) / 1000)));
  const entries = isJsonObject(value) ? Object.values(value).flat() : [];
  return entries.every((entry) => isJsonObject(entry) && at.has(Math.floor(instantOf(String(entry.time)) / 1000)));
}
