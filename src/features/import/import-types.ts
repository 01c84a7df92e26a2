import { buildSite } from '../../site/build-site.ts';
import { KINDS, type Site } from '../../site/site.ts';
import { loadConfiguration, writeConfiguration } from '../../storage/statements/configuration.ts';
import type { ContentType } from '../../types/content-type.ts';
import type { Property, TypeDefinition } from '../../types/definition.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';
import type { ImportJob } from './import-run.ts';
import type { ImportItem } from './import-source.ts';
import { isIdentifier } from './json-values.ts';
import { kindOfField, propertyOf } from './readers/field-kind.ts';

/** Names of standard fields, each with the ids of the behaviors that bring it. */
export type StandardFields = Readonly<Record<string, readonly string[]>>;

/** A standard behavior of content types with its fields, and how its presence shows in the names of fields. */
type BehaviorRule = { behavior: string; fields: string[]; isPresent?: (names: ReadonlySet<string>) => boolean };

/**
 * Rules in the order in which Plone's own types list behaviors. Without `isPresent` any of the fields shows the
 * behavior.
 */
const BEHAVIOR_RULES: BehaviorRule[] = [
  { behavior: 'plone.basic', fields: ['title', 'description'] },
  { behavior: 'plone.categorization', fields: ['subjects', 'language'] },
  { behavior: 'plone.publication', fields: ['effective', 'expires'] },
  { behavior: 'plone.ownership', fields: ['creators', 'contributors', 'rights'] },
  { behavior: 'plone.namefromtitle', fields: [], isPresent: (names) => names.has('title') },
  // Every object has an id.
  { behavior: 'plone.shortname', fields: ['id'], isPresent: () => true },
  { behavior: 'plone.excludefromnavigation', fields: ['exclude_from_nav'] },
  { behavior: 'plone.allowdiscussion', fields: ['allow_discussion'] },
  { behavior: 'volto.navtitle', fields: ['nav_title'] },
  // An `image` without a caption is the content of the type itself, as in Image.
  {
    behavior: 'plone.leadimage',
    fields: ['image', 'image_caption'],
    isPresent: (names) => names.has('image') && names.has('image_caption'),
  },
  { behavior: 'volto.preview_image', fields: ['preview_image', 'preview_caption'] },
  { behavior: 'volto.blocks', fields: ['blocks', 'blocks_layout'], isPresent: (names) => names.has('blocks') },
  { behavior: 'plone.versioning', fields: ['changeNote', 'versioning_enabled'] },
];

/**
 * Infers the definition of a content type that the site does not have from objects of the type. Standard fields become
 * behaviors; all others become fields of the type itself, each of the kind that fits all of its values.
 * @param standard fields of the site's behaviors. When several behaviors have a field, the one with the largest share
 *   of its fields present is chosen. Behaviors with less than half of their fields present are ignored.
 */
export function inferType(
  kinds: FieldKinds,
  { typeId, title }: { typeId: string; title: string },
  samples: readonly ImportItem[],
  standard: StandardFields,
): TypeDefinition {
  const names = new Set(samples.flatMap(fieldNamesOf));
  const { behaviors, covered } = inferBehaviors(names, standard);
  if (samples.some((sample) => sample.isFolderish)) behaviors.push('folderish');
  const own = [...names].filter((name) => !covered.has(name)).sort();
  const properties: Record<string, Property> = Object.fromEntries(
    own.map((name) => [name, propertyOf(name, kindOfField(kinds, name, samples))]),
  );
  const layouts = [...new Set(samples.flatMap(({ layout }) => layout ?? []))];
  return {
    id: typeId,
    title,
    behaviors,
    fieldsets: [{ id: 'default', title: 'Default', fields: own }],
    properties,
    required: [],
    global_allow: true,
    filter_content_types: false,
    allowed_content_types: [],
    workflow: samples.some((sample) => sample.reviewState !== null) ? 'simple_publication_workflow' : null,
    layouts: layouts.length > 0 ? layouts : ['view'],
    generated_by: 'import',
  };
}

function fieldNamesOf(sample: ImportItem): string[] {
  return [...Object.keys(sample.fields), ...sample.given, ...sample.files.map((file) => file.field)];
}

function inferBehaviors(
  names: ReadonlySet<string>,
  standard: StandardFields,
): { behaviors: string[]; covered: Set<string> } {
  const behaviors = new Set<string>();
  const covered = new Set<string>();
  const ruled = new Set(BEHAVIOR_RULES.map((rule) => rule.behavior));
  for (const { behavior, fields, isPresent } of BEHAVIOR_RULES) {
    const applies = isPresent ? isPresent(names) : fields.some((field) => names.has(field));
    if (!applies) continue;
    behaviors.add(behavior);
    for (const field of fields) covered.add(field);
  }
  const fieldsOf = fieldsByBehavior(standard);
  for (const name of names) {
    if (covered.has(name) || !Object.hasOwn(standard, name)) continue;
    const candidates = (standard[name] ?? []).filter((behavior) => !ruled.has(behavior));
    const best = mostPresent(candidates, fieldsOf, names);
    if (best === null) continue;
    behaviors.add(best);
    for (const field of fieldsOf.get(best) ?? []) covered.add(field);
  }
  return { behaviors: [...behaviors], covered };
}

function fieldsByBehavior(standard: StandardFields): Map<string, string[]> {
  const fieldsOf = new Map<string, string[]>();
  for (const [field, behaviors] of Object.entries(standard))
    for (const behavior of behaviors) fieldsOf.set(behavior, [...(fieldsOf.get(behavior) ?? []), field]);
  return fieldsOf;
}

function mostPresent(candidates: string[], fieldsOf: Map<string, string[]>, names: ReadonlySet<string>): string | null {
  let best: { behavior: string; share: number } | null = null;
  for (const behavior of candidates) {
    const fields = fieldsOf.get(behavior) ?? [];
    const share = fields.filter((field) => names.has(field)).length / fields.length;
    if (share >= 0.5 && share > (best?.share ?? 0)) best = { behavior, share };
  }
  return best?.behavior ?? null;
}

/**
 * Picks samples from the objects of one type so that every field occurs with every kind of value that it has. There are
 * at most as many samples as pairs of field and kind, whatever the number of objects.
 */
function samplePicker(kinds: FieldKinds): { samples: ImportItem[]; offer(item: ImportItem): void } {
  const seen = new Set<string>();
  const samples: ImportItem[] = [];
  return {
    samples,
    offer(item) {
      const marks = [...marksOf(kinds, item)].filter((mark) => !seen.has(mark));
      if (marks.length === 0) return;
      for (const mark of marks) seen.add(mark);
      samples.push(item);
    },
  };
}

function* marksOf(kinds: FieldKinds, item: ImportItem): Generator<string> {
  const kindOf = (name: string): string => kindOfField(kinds, name, [item]).factories[0].name;
  yield `folderish ${item.isFolderish}`;
  yield `state ${item.reviewState !== null}`;
  yield `layout ${item.layout}`;
  for (const name of item.given) yield `field ${name}`;
  for (const { field } of item.files) yield `field ${field} ${kindOf(field)}`;
  for (const [name, value] of Object.entries(item.fields)) {
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    yield `field ${name} ${isEmpty ? JSON.stringify(value) : kindOf(name)}`;
  }
}

/** Finds the type of this site for a type's name in an export. */
export type TypeNames = (name: string) => ContentType | undefined;

/** Finds types by their own ids first, then by the names that they have elsewhere (`Document` for `Page`). */
export function typeNames(site: Site): TypeNames {
  const byAlias = new Map<string, ContentType>();
  for (const type of site.types.values()) {
    for (const alias of type.aliases ?? []) if (!byAlias.has(alias)) byAlias.set(alias, type);
  }
  return (name) => site.types.get(name) ?? byAlias.get(name);
}

/**
 * Creates the content types of the export that the site does not have, inferred from the objects of each. Returns the
 * site with the new types. Present types stay unchanged.
 */
export async function makeTypes({ kernel, source, scope, report, summary }: ImportJob): Promise<Site> {
  const { rows, version } = await loadConfiguration(scope.db);
  const site = buildSite(version, rows, kernel);
  const typeOf = typeNames(site);
  const pickers = new Map<string, ReturnType<typeof samplePicker>>();
  for (const { type, path } of await source.addresses()) {
    if (typeOf(type) || path === '/') continue;
    if (isIdentifier(type)) pickers.set(type, samplePicker(kernel.fieldKinds));
    else report.problem({ path, message: 'The name of its content type cannot be one.' });
  }
  if (pickers.size === 0) return site;
  for await (const item of source.items(({ type }) => pickers.has(type))) pickers.get(item.type)?.offer(item);
  const standard = standardFields(site);
  const definitions = [...pickers].map(([id, { samples }]) => {
    const title = samples.find(({ typeTitle }) => typeTitle !== null)?.typeTitle ?? id;
    return fitToSite(inferType(kernel.fieldKinds, { typeId: id, title }, samples, standard), site);
  });
  const first = Math.max(0, ...rows.filter(({ kind }) => kind === KINDS.type).map(({ position }) => position)) + 1;
  await scope.write((tx) =>
    writeConfiguration(
      tx,
      definitions.map((data, index) => ({ kind: KINDS.type, id: data.id, position: first + index, data })),
    ),
  );
  summary.types = definitions.map(({ id }) => id);
  const made = await loadConfiguration(scope.db);
  return buildSite(made.version, made.rows, kernel);
}

/** Returns the fields of the site's behaviors, each with the ids of the behaviors that have it. */
function standardFields(site: Site): StandardFields {
  const fields = new Map<string, string[]>();
  for (const { id, properties = {} } of site.behaviors.values()) {
    for (const name of Object.keys(properties)) fields.set(name, [...(fields.get(name) ?? []), id]);
  }
  return Object.fromEntries(fields);
}

/** Replaces the names of behaviors by the site's own ids, and drops a workflow that the site does not have. */
function fitToSite(definition: TypeDefinition, { behaviors, workflows }: Site): TypeDefinition {
  const idOf = (name: string) =>
    [...behaviors.values()].find(({ id, aliases = [] }) => id === name || aliases.includes(name))?.id ?? name;
  return {
    ...definition,
    behaviors: [...new Set(definition.behaviors.map(idOf))],
    workflow: definition.workflow !== null && workflows.has(definition.workflow) ? definition.workflow : null,
  };
}
