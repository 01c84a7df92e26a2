import {
  configuration,
  controlPanels,
  type Kernel,
  type Site,
  speaksPlone,
  type TypeDefinition,
  typesInUse,
} from '#core';
import { BadRequest, type FieldProblem, ValidationFailed } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { changeTypes, storedType, type TypeChange, type TypeRequest, writeType } from './change-types.ts';
import { kindProblem, nameFromTitle } from './field-rules.ts';
import { behaviorsByName, inheritedPart, ownSchema } from './own-schema.ts';
import { typeHasChildren } from './statements.ts';
import { parseTypeSettings } from './type-settings.ts';

const MAX_TYPES = 500;
const ID = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u;
/** Behaviors of a new type: the same as in Plone, and `folderish`, because all types of Plone can contain others. */
const FIRST_BEHAVIORS = ['dublin_core', 'plone.namefromtitle', 'plone.allowdiscussion', 'folderish'];
/** Behaviors that the site root does not work without, by all their names. */
const OF_THE_ROOT = ['folderish', 'navigation_root', 'plone.navigationroot'];

/** The address of a type in the control panel, for errors. */
const addressOf = (id: string): string => `/@controlpanels/dexterity-types/${id}`;

/** A title without characters that cannot be in an address (Nick). */
const plainTitle = (title: string): string =>
  title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 100)
    .trim();

/**
 * The id of a new type: the given id, or an id made of its title, in Plone's way (plone.restapi, `@controlpanels/dexterity-types`) or in Nick's.
 * Throws ValidationFailed.
 */
function newId({ site }: Pick<TypeChange, 'site'>, { id, title }: JsonObject): string {
  const idOf = speaksPlone(site) ? nameFromTitle : plainTitle;
  const text = id === undefined && typeof title === 'string' ? idOf(title) : id;
  if (typeof text !== 'string' || !ID.test(text))
    throw new ValidationFailed([
      {
        field: id === undefined ? 'title' : 'id',
        message:
          'A type needs a title, and an id of up to 100 letters, digits, spaces, ".", "_" and "-" that begins with a letter or digit.',
      },
    ]);
  return text;
}

/** A new type before its settings are parsed. */
function beginning({ site, root }: TypeChange, id: string): TypeDefinition {
  const named = behaviorsByName([...site.behaviors.values()]);
  return {
    id,
    title: '',
    description: '',
    behaviors: FIRST_BEHAVIORS.filter((name) => named.has(name)),
    global_allow: true,
    filter_content_types: false,
    allowed_content_types: [],
    workflow: site.types.get(root.object.type)?.workflow ?? null,
    layouts: ['view'],
    fieldsets: [],
    properties: {},
    required: [],
  };
}

/** Throws BadRequest when content of this type could be mistaken for content of another type. */
function requireFreeId({ types }: Site, id: string): void {
  const taken = [...types.values()].find((type) => type.id === id || type.aliases?.includes(id));
  if (taken) throw new BadRequest(`There is a content type "${taken.id}" already, which is also called "${id}".`);
  if (types.size >= MAX_TYPES) throw new BadRequest(`A site has at most ${MAX_TYPES} content types.`);
}

/** Makes a content type. Returns its id. Throws BadRequest, ValidationFailed. */
export const createType = (kernel: Kernel, request: TypeRequest): Promise<string> =>
  changeTypes(kernel, request, async (change) => {
    const { id: _id, ...input } = request.input;
    const id = newId(change, request.input);
    requireFreeId(change.site, id);
    const sent = { title: null, ...input };
    const root = change.root.object.type;
    await writeType(change, parseTypeSettings(change.site, beginning(change, id), { sent, root }));
    return id;
  });

/** The ids of the behaviors of a type, which may name them by aliases. */
function behaviorsOf({ site }: TypeChange, { behaviors }: TypeDefinition): Set<string> {
  const named = behaviorsByName([...site.behaviors.values()]);
  return new Set(behaviors.map((name) => named.get(name)?.id ?? name));
}

/** Throws BadRequest when content could not be reached without a removed behavior. */
async function requirePlaces(change: TypeChange, before: TypeDefinition, after: TypeDefinition): Promise<void> {
  const kept = behaviorsOf(change, after);
  const gone = [...behaviorsOf(change, before)].filter((id) => !kept.has(id));
  const rooted = gone.find((id) => OF_THE_ROOT.includes(id));
  if (rooted !== undefined && before.id === change.root.object.type)
    throw new BadRequest(`The site itself is of this type and needs the behavior "${rooted}".`);
  if (gone.includes('folderish') && (await typeHasChildren(change.tx, before.id)))
    throw new BadRequest('There is content inside of content of this type. Move it before you switch off "folderish".');
}

/** Throws ValidationFailed when a behavior has a field that the type itself has with another kind. */
function requireAgreement({ kernel, site }: TypeChange, before: TypeDefinition, after: TypeDefinition): void {
  const behaviors = behaviorsByName([...site.behaviors.values()]);
  const { properties } = ownSchema(after);
  const old = inheritedPart(before, behaviors).fieldByName;
  const problems: FieldProblem[] = [];
  for (const { name, behavior = '' } of inheritedPart(after, behaviors).fields) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const bringing = behaviors.get(behavior);
    if (!own || !bringing || old.has(name)) continue;
    if (kindProblem(name, own, { kinds: kernel.fieldKinds, behaviors: new Map([[behavior, bringing]]) }) !== undefined)
      problems.push({
        field: behavior,
        message: `Brings a field "${name}", which the type has itself as another kind.`,
      });
  }
  if (problems.length > 0) throw new ValidationFailed(problems);
}

/** Changes title, description, contained types and behaviors of a type. Throws NotFound, BadRequest, ValidationFailed. */
export const updateType = (kernel: Kernel, { id, ...request }: TypeRequest & { id: string }): Promise<void> =>
  changeTypes(kernel, request, async (change) => {
    const before = storedType(change, id, addressOf(id));
    const { id: sentId = id, ...sent } = request.input;
    if (sentId !== id)
      throw new ValidationFailed([{ field: 'id', message: 'A type keeps its id. Change its title instead.' }]);
    const after = parseTypeSettings(change.site, before, { sent, root: change.root.object.type });
    await requirePlaces(change, before, after);
    requireAgreement(change, before, after);
    await writeType(change, after);
  });

/** The rows that name a type, changed so that they do not: other types that may contain it, and settings with lists of types. */
function rowsWithout({ kernel, rows }: TypeChange, id: string): configuration.Row[] {
  const listing = new Map(
    kernel.panels
      .all()
      .map((panel) => [panel.id, panel.settings.filter(({ choices }) => choices === controlPanels.typeChoices)]),
  );
  return rows.flatMap((row) => {
    if (row.kind === configuration.KINDS.type && row.id !== id) {
      const type = row.data as TypeDefinition;
      const allowed = type.allowed_content_types.filter((name) => name !== id);
      return allowed.length === type.allowed_content_types.length
        ? []
        : [{ ...row, data: { ...type, allowed_content_types: allowed } }];
    }
    const settings = row.kind === configuration.KINDS.setting ? (listing.get(row.id) ?? []) : [];
    const values = row.data as Record<string, unknown>;
    const changed = settings.flatMap(({ name }) => {
      const value = values[name];
      return Array.isArray(value) && value.includes(id) ? [[name, value.filter((item) => item !== id)] as const] : [];
    });
    return changed.length === 0 ? [] : [{ ...row, data: { ...values, ...Object.fromEntries(changed) } }];
  });
}

/** Throws BadRequest while the type is needed: by the site itself, by an add-on, by content. */
async function requireUnneeded({ tx, site, root }: TypeChange, id: string): Promise<void> {
  if (root.object.type === id) throw new BadRequest('The site itself is of this type. It cannot be removed.');
  const addon = [...site.addons].find(([, { rows }]) =>
    rows.some((row) => row.kind === configuration.KINDS.type && row.id === id),
  );
  if (addon) throw new BadRequest(`The type belongs to the add-on "${addon[0]}". It goes when that is uninstalled.`);
  // Deleted content does not count as use of a type: it cannot be restored until there is a type of this name again.
  const [{ content } = { content: 0 }] = await typesInUse(tx, [id]);
  if (content > 0) throw new BadRequest(`There is content of this type: ${content}. Delete it first.`);
}

/** Removes a type that nothing needs. Throws NotFound, BadRequest. */
export const removeType = (
  kernel: Kernel,
  { id, ...request }: Omit<TypeRequest, 'input'> & { id: string },
): Promise<void> =>
  changeTypes(kernel, { ...request, input: {} }, async (change) => {
    storedType(change, id, addressOf(id));
    await requireUnneeded(change, id);
    await configuration.remove(change.tx, [{ kind: configuration.KINDS.type, id }]);
    await configuration.write(change.tx, rowsWithout(change, id));
    const { tx, caller } = change;
    await kernel.events.emit('site.changed', { part: 'type', id, change: 'removed' }, { tx, caller });
  });
