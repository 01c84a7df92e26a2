import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../database/database.ts';
import { BadRequest, Conflict, Forbidden, NotFound } from '../../lib/errors.ts';
import type { SanitizeHtml } from '../../lib/text/sanitize-html.ts';
import { siteTimeZone } from '../configuration/panels/general.ts';
import { languagePanel } from '../configuration/panels/languages.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import type { Site } from '../configuration/site/site.ts';
import type { CreationPart, Kernel } from '../kernel/kernel.ts';
import { type Caller, rolesOfNew } from '../security/caller.ts';
import { ADD, MANAGE_PORTAL } from '../security/permissions.ts';
import type { ContentObject, NewContent, ResolvedNode } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import { PreparedFile } from '../types/field-kind.ts';
import { missingEventTimes, wholeDays } from './event-times.ts';
import { isRoot, type LookupResult, locate, locateAllForWrite, wayOf } from './locate.ts';
import { checkName, checkPathLength, freeName, preferredName } from './name-chooser.ts';
import { rejectNewTags } from './new-tags.ts';
import { has, isLanguageIndependent, requirePermission, takesType } from './permissions.ts';
import { prepareFiles } from './prepare-files.ts';
import { prepareHtml } from './prepare-html.ts';
import { resolverFor } from './references.ts';
import { compareChildless } from './statements/found-way.ts';
import { resolveReferences } from './statements/references.ts';
import { addHistory } from './statements/workflow-history.ts';
import { insertContent } from './statements/write-content.ts';
import { childPath } from './tree-path.ts';
import { linksIn, parseValues, splitColumns } from './values.ts';
import { parseChangeNote } from './versions.ts';
import { writeAsFound } from './write-as-found.ts';
import { insertedObject } from './written-object.ts';

export type CreateRequest = {
  caller: Caller;
  /** Path of the container. */
  container: string;
  /** The body: `@type` and fields, optionally `id`, `UID`, `layout`, `translation_of`. */
  input: Record<string, unknown>;
  /** Addresses of the site root that links in the input may begin with. */
  bases: readonly string[];
  /** Cleans the HTML of the input, see `prepareHtml`. */
  sanitize?: SanitizeHtml | undefined;
};

/** The circumstances of a write of content. */
export type WriteOptions = {
  /** The transaction of the caller. Without it the write is a transaction of its own. Files cannot be part of the input with it. */
  tx?: Transaction | undefined;
  /** The lookup of the path of the request, if it was made before. */
  before?: LookupResult | undefined;
  /** Work in the transaction of the write, after the content at the path is written. */
  also?: ((tx: Transaction, path: string) => Promise<void>) | undefined;
};

/**
 * The path and UID of a new object, and what a lookup would find. Without `found` that is not known: consequences of the creation in its transaction
 * may have changed, moved or removed the object.
 */
export type Created = { path: string; uid: string; found?: LookupResult | undefined };

/** A UUID in lower case, with hyphens or without. */
export const UID_FORM = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The container of a write, held; 404 when it is not there. */
function requireContainer(lookup: LookupResult, path: string): ResolvedNode {
  if (!lookup.resolved) throw new NotFound(path);
  return lookup.resolved;
}

/** The type that the body names. Throws the errors of plone.restapi (§2.2: order of checks). */
export function requireType(
  site: Site,
  caller: Caller,
  container: ResolvedNode,
  input: Record<string, unknown>,
): ContentType {
  const name = input['@type'];
  if (typeof name !== 'string' || name === '') throw new BadRequest("Property '@type' is required.");
  // A rehearsal is undone, and the one who does it in earnest is asked again.
  if (input.UID !== undefined && caller.rehearses === undefined && !has(site, caller, container, MANAGE_PORTAL))
    throw new Forbidden('Only managers may choose the UID.');
  const type = site.types.get(name);
  if (!type) throw new Forbidden(`There is no content type "${name}".`);
  if (!takesType(site, container, type))
    throw new Forbidden(`"${name}" may not be added to a ${container.object.type} here.`);
  requirePermission(site, caller, container, type.add_permission ?? ADD);
  return type;
}

function requireUid(value: unknown): string {
  if (value === undefined || value === null) return randomUUID();
  if (typeof value !== 'string' || !UID_FORM.test(value)) throw new BadRequest('The UID must be a UUID.');
  return value;
}

/** The layout that a client chose, if the type has it; null for none: the default layout of the type is not stored. */
export function parseLayout(type: ContentType, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !type.layouts.includes(value)) {
    throw new BadRequest(`The layout must be one of: ${type.layouts.join(', ')}.`);
  }
  return value;
}

/**
 * The language of new content in a container: the language of the container; in the site root the language of the site, whose setting may be newer.
 */
export const languageIn = (site: Site, { object }: ResolvedNode): string =>
  (isRoot(object) ? null : object.language) ?? panelSettings(site, languagePanel).default_language;

/** The language of new content, or null in a folder for content that all languages share. */
const languageOfNew = (site: Site, container: ResolvedNode): string | null =>
  isLanguageIndependent(site, container) ? null : languageIn(site, container);

/** Maximum number of attempts with names that other writers take first. */
const MAX_ATTEMPTS = 50;

/**
 * Inserts an object under the name that the client gave, else under `wished` or the next free name like it. A free name is searched only when
 * `wished` is taken, which is rare. Returns the inserted object.
 */
async function insert(
  tx: Transaction,
  container: ResolvedNode,
  given: unknown,
  wished: string,
  row: NewContent,
): Promise<{ object: ContentObject; rowVersion: string }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const free = () => (attempt === 1 ? wished : freeName(tx, container.object.oid, wished));
    const name = given === undefined ? await free() : checkName(given);
    const path = checkPathLength(childPath(container.object.path, name));
    const placed = { ...row, name, path };
    const inserted = await insertContent(tx, placed);
    if (inserted !== undefined) return { object: insertedObject(placed, inserted), rowVersion: inserted.rowVersion };
    if ((await resolveReferences(tx, [row.uid], [])).length > 0)
      throw new BadRequest(`The UID "${row.uid}" is already in use.`);
    if (given !== undefined) throw new BadRequest(`The id "${name}" is already in use here. Choose another one.`);
  }
  throw new Conflict('Others keep taking the id. Try again, or choose an id.');
}

/**
 * Creates an object in a container, in one transaction with its events. Returns its path and UID. Throws NotFound, BadRequest, ValidationFailed,
 * Unauthorized or Forbidden; then nothing has been created.
 */
export async function createContent(
  kernel: Kernel,
  request: CreateRequest,
  { tx: around, before, also }: WriteOptions = {},
): Promise<Created> {
  if (around) return createWithin(kernel, around, request);
  const { caller, container, input, bases } = request;
  const lookup = before ?? (await locate(kernel, container));
  const early = requireContainer(lookup, container);
  const earlyType = requireType(lookup.site, caller, early, input);
  const note = parseChangeNote(input);
  const prepared = await prepareFiles(kernel, earlyType, input);
  const sanitize = await prepareHtml(kernel, earlyType, prepared);
  // A file without a title gets its title and its id from the file name (plone.namefromfilename).
  const filename = earlyType.behaviorNames.has('plone.namefromfilename') ? filenameOf(earlyType, prepared) : undefined;
  if (filename !== undefined && (prepared.title ?? '') === '') prepared.title = filename;
  let known = false;
  const created = await writeAsFound(kernel.db, lookup, async (tx, relied) => {
    const created = await createWithin(
      kernel,
      tx,
      { caller, container, input: prepared, bases, sanitize },
      { note, filename, before: relied },
    );
    await also?.(tx, created.path);
    known = false;
    const way = created.found && wayOf(created.found, created.path);
    // Goes in the message of the commit.
    tx.beforeCommit(async () => way && compareChildless(tx, way, () => (known = true)), 'last');
    return created;
  });
  return known ? created : { ...created, found: undefined };
}

/** Creates an object in a transaction. The files of the input are prepared; the name of new content is made from `filename`. */
async function createWithin(
  kernel: Kernel,
  tx: Transaction,
  { caller, container: containerPath, input, bases, sanitize }: CreateRequest,
  {
    note = '',
    filename,
    before,
  }: { note?: string; filename?: string | undefined; before?: LookupResult | undefined } = {},
): Promise<Created> {
  const parts: CreationPart[] = [];
  for (const hook of kernel.hooks.creating) {
    const part = await hook(kernel, tx, { caller, input, bases });
    if (part) parts.push(part);
  }
  const [lookup, ...partLookups] = await locateAllForWrite(kernel, tx, [
    { path: containerPath, lockMode: 'add-inside', before },
    ...parts.map(({ path }) => ({ path, lockMode: 'change' }) as const),
  ]);
  if (!lookup) throw new Error('A place without a finding');
  const container = requireContainer(lookup, containerPath);
  const { site } = lookup;
  const type = requireType(site, caller, container, input);
  const resolver = await resolverFor(tx, linksIn(kernel.fieldKinds, type, input, sanitize), bases);
  const mayWrite = (permission: string) => has(site, caller, container, permission);
  const timeZone = siteTimeZone(site, caller.timeZone);
  const sent = { ...input, ...missingEventTimes(site, type, { input, timeZone }) };
  const values = parseValues(kernel.fieldKinds, {
    ...{ type, input: sent, resolver, site, mayWrite, sanitize },
    current: undefined,
    timeZone,
  });
  await rejectNewTags(tx, { site, caller, resolved: container }, values);
  Object.assign(values, wholeDays(site, type, { changed: values, current: {} }));
  const owner = caller.id ?? 'anonymous';
  const { columns, fields } = splitColumns(values);
  if (type.fieldByName.has('creators') && Array.isArray(fields.creators) && fields.creators.length === 0)
    fields.creators = [owner];
  const workflow = type.workflow ? site.workflows.get(type.workflow) : undefined;
  const now = new Date();
  const uid = requireUid(input.UID);
  const title = typeof fields.title === 'string' ? fields.title : '';
  const language = type.fieldByName.has('language') ? (columns.language ?? languageOfNew(site, container)) : null;
  const { object, rowVersion } = await insert(
    tx,
    container,
    input.id ?? undefined,
    preferredName({ title, filename, type: type.id }),
    {
      uid,
      parent: container.object.oid,
      name: '',
      path: '',
      type: type.id,
      reviewState: workflow?.initial_state ?? null,
      owner,
      language,
      layout: parseLayout(type, input.layout),
      created: now,
      modified: now,
      effective: columns.effective ?? null,
      expires: columns.expires ?? null,
      localRoles: rolesOfNew(caller),
      inheritRoles: true,
      localPermissions: null,
      constrains: null,
      defaultPage: null,
      translationGroup: null,
      fields,
    },
  );
  const { oid, path } = object;
  for (const [i, part] of parts.entries()) {
    const locked = partLookups[i];
    if (locked) await part.complete(tx, locked, { oid, type, language });
  }
  if (workflow) {
    await addHistory(tx, [
      {
        content: oid,
        workflow: workflow.id,
        action: null,
        actor: owner,
        comments: '',
        reviewState: workflow.initial_state,
        at: now,
      },
    ]);
  }
  const ancestors = [container.object, ...container.ancestors];
  // Parts of the creation may have changed the object since it was inserted.
  const written = parts.length === 0 && { object, ancestors };
  await kernel.events.emit('content.created', { oid, site, note, ...(written && { written }) }, { tx, caller });
  const state = { ...lookup.state, rowVersions: [...lookup.state.rowVersions, rowVersion] };
  return { path, uid, found: { site, state, nodes: [object, ...ancestors], resolved: { object, ancestors } } };
}

/** The name of the file among prepared values: of the type's own file, else of the first file. */
function filenameOf({ id, fieldByName }: ContentType, prepared: Record<string, unknown>): string | undefined {
  const files = Object.entries(prepared).flatMap(([name, value]) =>
    value instanceof PreparedFile
      ? [{ own: fieldByName.get(name)?.behavior === id, filename: value.file.filename }]
      : [],
  );
  return (files.find(({ own }) => own) ?? files[0])?.filename;
}
