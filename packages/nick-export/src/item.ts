import path from 'node:path';
import {
  type ExportedFile,
  type ExportedItem,
  type ExportedVersion,
  type ExportedWorkflowEntry,
  isEmptyValue,
  isJsonObject,
  type JsonObject,
  makeItem,
  memberOf,
  numberOrNull,
  parseDate,
  stringOf,
  stringOrNull,
  stringsOf,
} from '@canopy-server/site-reader';
import { lookup } from 'mrmime';
import { type Entry, languageOf } from './entries.ts';
import { type NickFolder, readObject } from './profiles.ts';
import { type NickType, roleOf } from './types.ts';

/** Values of an object that are no fields: Nick's own, and those that it adds to what it exports. */
export const FIELDS_OF_NICK: ReadonlySet<string> = new Set([
  ...[
    'uuid',
    'parent',
    'id',
    'path',
    'created',
    'modified',
    'type',
    'position_in_parent',
    'version',
    'versions',
    'owner',
  ],
  ...['lock', 'inherit_roles', 'translation_group', 'language', 'workflow_state', 'workflow_history', 'sharing'],
  ...['content_rules', 'effective', 'expires', 'changeNote', 'actor', 'document', 'layout', 'items', 'is_folderish'],
  ...['@id', '@type', '@components', 'UID', 'review_state'],
]);

/** Roles of Nick that have another name here. */
const ROLES = new Map([['Administrator', 'Manager']]);

/** Roles that everybody has by being somebody or nobody. */
const IMPLIED = new Set(['Anonymous', 'Authenticated']);

/** The user that Nick has for those who are not logged in. */
export const ANONYMOUS = 'anonymous';

/** The roles of a user or a group by the names that they have here. */
export const rolesOf = (value: unknown): string[] =>
  [...new Set(stringsOf(value).map((role) => ROLES.get(role) ?? role))].filter((role) => !IMPLIED.has(role));

/** The site that an object is in. */
export type ItemContext = NickFolder & {
  types: ReadonlyMap<string, NickType>;
  /** Makes a path of an address on the old site. */
  toPath(link: string): string;
};

/** Reads an object; null when its file is gone or broken, which is reported. */
export async function readItem(context: ItemContext, entry: Entry): Promise<ExportedItem | null> {
  const data = await readObject(context, entry.file);
  if (data === undefined) return null;
  const type = context.types.get(entry.type);
  const { fields, files } = await valuesOf(context, entry, data, type);
  const created = parseDate(data.created);
  const owner = stringOrNull(data.owner) ?? 'admin';
  reportRest(context, entry, data);
  return makeItem({
    ...{ uid: entry.uid, path: entry.path, type: entry.type, fields, files },
    ...(await versionsOf(context, entry, data, type)),
    given: ['effective', 'expires'].filter((name) => Object.hasOwn(data, name)),
    position: context.isLoose ? null : entry.position,
    created,
    modified: parseDate(data.modified) ?? created,
    effective: parseDate(data.effective),
    expires: parseDate(data.expires),
    reviewState: stringOrNull(data.workflow_state) ?? 'published',
    workflowHistory: historyOf(data, type?.definition.workflow ?? 'simple_publication_workflow'),
    owner,
    creators: hasCreators(type) ? [owner] : [],
    language: languageOf(data),
    isFolderish: type?.definition.behaviors.includes('folderish') ?? false,
    localRoles: localRolesOf(context, entry, data),
    blockLocalRoles: data.inherit_roles === false,
    typeTitle: type?.definition.title ?? null,
  });
}

/** Says if content of a type has creators here: Nick has its owner alone. */
const hasCreators = (type: NickType | undefined): boolean =>
  type === undefined || type.definition.behaviors.some((name) => name === 'dublin_core' || name === 'ownership');

/** Reports the parts of an object that have no place. */
function reportRest({ problems }: ItemContext, { path: at, file }: Entry, data: JsonObject): void {
  const note = (key: string, message: string) => problems.note({ reason: 'unsupported', file, path: at, key, message });
  if (!isEmptyValue(data.content_rules)) note('content_rules', 'Content rules are left out: make them anew.');
  if (memberOf(data.lock, 'locked') === true) note('lock', 'Content that somebody edits in Nick is not locked here.');
  const blocks = Object.values(isJsonObject(data.blocks) ? data.blocks : {});
  if (blocks.some((block) => memberOf(block, '@type') === 'text'))
    note('blocks', 'Blocks of the type text (Draft.js) are kept as they are: old front ends alone show them.');
}

type Values = { fields: Record<string, unknown>; files: ExportedFile[] };

/** The fields and files of an object, or of one of its versions. */
async function valuesOf(
  context: ItemContext,
  entry: Entry,
  data: JsonObject,
  type: NickType | undefined,
): Promise<Values> {
  const fields: [string, unknown][] = [];
  const files: ExportedFile[] = [];
  for (const [name, value] of Object.entries(data)) {
    // Nick's own root has a layout without a list for no blocks.
    if (FIELDS_OF_NICK.has(name) || (name === 'blocks_layout' && isEmptyValue(value))) continue;
    const role = roleOf(type, name);
    if ((role === 'File' || role === 'Image' || isFile(value)) && !isEmptyValue(value)) {
      const file = await fileOf(context, entry, name, value);
      if (file) files.push(file);
    } else if (role === 'Relation Choice' && Array.isArray(value))
      fields.push([name, linked(value[0] ?? null, context)]);
    else fields.push([name, linked(value, context)]);
  }
  return { fields: Object.fromEntries(fields), files };
}

const isFile = (value: unknown): boolean =>
  isJsonObject(value) &&
  typeof value.filename === 'string' &&
  'content-type' in value &&
  ('data' in value || 'download' in value || 'uuid' in value);

/** Addresses of the old site as paths, wherever they stand. */
function linked(value: unknown, context: ItemContext): unknown {
  if (typeof value === 'string') return context.toPath(value);
  if (Array.isArray(value)) return value.map((entry) => linked(entry, context));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, linked(entry, context)]));
}

/** The file of a field: a path below the documents, base64, or the address that it had. */
async function fileOf(
  { files, problems }: ItemContext,
  { path: at, file: source, folder }: Entry,
  field: string,
  value: unknown,
): Promise<ExportedFile | undefined> {
  const report = (reason: 'file' | 'value', message: string) =>
    problems.add({ reason, file: source, path: at, key: field, message: `Field ${field}: ${message}` });
  if (typeof value === 'string') {
    const found = await files.locate(path.posix.join(folder, value));
    if (!found) report('file', `the file ${value.slice(0, 300)} is not in the profile.`);
    const filename = path.posix.basename(value);
    return { field, path: found?.path ?? null, filename, contentType: mediaType(filename), size: found?.size ?? null };
  }
  if (!isJsonObject(value)) {
    report('value', 'the value is no file and is left out.');
    return undefined;
  }
  const filename = stringOrNull(value.filename) ?? field;
  const base64 = base64Of(value);
  if (base64 === null)
    report(
      'file',
      `the bytes of ${filename.slice(0, 300)} are not in the export. Put its path in their place, or add the file later.`,
    );
  return {
    ...{ field, path: null, filename, size: numberOrNull(value.size) },
    ...(base64 === null ? {} : { base64 }),
    contentType: stringOrNull(value['content-type']) ?? mediaType(filename),
  };
}

const mediaType = (name: string): string => lookup(name) ?? 'application/octet-stream';

const ENCODINGS = new Set<unknown>(['ascii', 'base64', 'binary', 'hex', 'latin1', 'utf8', 'utf-8']);

const isEncoding = (value: unknown): value is BufferEncoding => ENCODINGS.has(value);

/** The bytes of a file in its object, as base64; null for an object without them. */
function base64Of({ data, encoding }: JsonObject): string | null {
  if (typeof data !== 'string') return null;
  if (encoding === 'base64') return data;
  return isEncoding(encoding) ? Buffer.from(data, encoding).toString('base64') : null;
}

function historyOf(data: JsonObject, workflow: string): ExportedWorkflowEntry[] {
  const entries = Array.isArray(data.workflow_history) ? data.workflow_history.filter(isJsonObject) : [];
  return entries.flatMap((entry): ExportedWorkflowEntry[] => {
    const time = parseDate(entry.time);
    const state = stringOrNull(entry.review_state);
    if (time === null || state === null) return [];
    const [action, actor] = [stringOrNull(entry.action), stringOf(entry.actor)];
    return [{ workflow, action, actor, comments: stringOf(entry.comments), review_state: state, time }];
  });
}

/** The roles of users and groups on an object. Nick's user for visitors is nobody here: its roles are left out. */
function localRolesOf(
  { problems }: ItemContext,
  { path: at, file }: Entry,
  data: JsonObject,
): Record<string, string[]> {
  const roles = new Map<string, string[]>();
  for (const kind of ['users', 'groups']) {
    const list = memberOf(data.sharing, kind);
    for (const one of Array.isArray(list) ? list : []) {
      const id = stringOrNull(memberOf(one, 'id'));
      if (id === null) continue;
      if (kind === 'users' && id === ANONYMOUS)
        problems.note({
          reason: 'unsupported',
          ...{ file, path: at, key: 'sharing' },
          message: 'Roles of visitors on content are left out: the state of content decides what they see.',
        });
      else roles.set(id, [...new Set([...(roles.get(id) ?? []), ...rolesOf(memberOf(one, 'roles'))])]);
    }
  }
  return Object.fromEntries(roles);
}

type Versions = Pick<ExportedItem, 'versions' | 'change'>;

/** The older versions of an object, and the change that made it what it is: the last version of Nick is the object itself. */
async function versionsOf(
  context: ItemContext,
  entry: Entry,
  data: JsonObject,
  type: NickType | undefined,
): Promise<Versions> {
  const all = (Array.isArray(data.versions) ? data.versions.filter(isJsonObject) : []).map((version, index) => ({
    data: version,
    number: numberOrNull(version.version) || index,
  }));
  all.sort((a, b) => a.number - b.number);
  const current = numberOrNull(data.version) ?? all.at(-1)?.number ?? 0;
  const own = all.find(({ number }) => number === current)?.data;
  const versions: ExportedVersion[] = [];
  let next = (await valuesOf(context, entry, data, type)).fields;
  for (const { data: version, number } of all.filter((one) => one.number < current).reverse()) {
    const { fields, files } = await valuesOf(context, entry, version, type);
    // A version of Nick is whole: what it lacks it did not have.
    const absent = Object.keys(next).filter((name) => !Object.hasOwn(fields, name) && !isEmptyValue(next[name]));
    const dates = Object.fromEntries(
      ['effective', 'expires']
        .filter((name) => Object.hasOwn(version, name))
        .map((name) => [name, parseDate(version[name])]),
    );
    versions.push({
      ...{
        number,
        at: parseDate(version.created),
        actor: stringOrNull(version.actor),
        note: stringOf(version.changeNote),
      },
      ...{ layout: null, dates, files },
      fields: { ...fields, ...Object.fromEntries(absent.map((name) => [name, null])) },
    });
    next = fields;
  }
  const later = all.filter((one) => one.number > current).length;
  if (later > 0)
    context.problems.note({
      reason: 'unsupported',
      ...{ file: entry.file, path: entry.path, key: 'versions' },
      message: 'Versions that are newer than the content itself are left out.',
    });
  const change = { note: stringOf(own?.changeNote ?? data.changeNote), actor: stringOrNull(own?.actor) };
  return { versions: versions.reverse(), change };
}
