import type { ExportedItem } from '@canopy-server/site-reader';
import type { Property, TypeDefinition } from '#core';
import { type FieldInference, fieldProperty } from './infer-field.ts';

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
  inference: FieldInference,
  { typeId, title }: { typeId: string; title: string },
  samples: readonly ExportedItem[],
  standard: StandardFields,
): TypeDefinition {
  const names = new Set(samples.flatMap(fieldNamesOf));
  const { behaviors, covered } = inferBehaviors(names, standard);
  if (samples.some((sample) => sample.isFolderish)) behaviors.push('folderish');
  const own = [...names].filter((name) => !covered.has(name) && inference.mayName(name)).sort();
  const properties: Record<string, Property> = Object.fromEntries(
    own.map((name) => [name, fieldProperty(inference, name, samples)]),
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

/** Names of all fields that an object has, also of empty ones. */
function fieldNamesOf(sample: ExportedItem): string[] {
  return [...Object.keys(sample.fields), ...sample.given, ...sample.files.map((file) => file.field)];
}

/** The behaviors that bring fields of these names, and the fields that they bring. */
export function inferBehaviors(
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
