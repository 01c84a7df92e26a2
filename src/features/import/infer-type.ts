import type { Property, TypeDefinition } from '../../types/definition.ts';
import type { ImportItem } from './import-source.ts';
import { kindOfField, propertyOf } from './readers/field-kind.ts';

/** Names of standard fields, each with the ids of the behaviors that bring it. */
export type StandardFields = Readonly<Record<string, readonly string[]>>;

/** A standard behavior of content types, the fields that it brings, and those of them that show its presence. */
type Rule = { behavior: string; fields: string[]; isPresent?: (names: ReadonlySet<string>) => boolean };

/** In the order in which Plone's own types list them. Without `isPresent` any of the fields shows the behavior. */
const RULES: Rule[] = [
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
  // A lone `image` is the content of the type itself, as it is in Image.
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
 * Makes the definition of a content type that the site does not know, from objects of it. Standard fields become
 * behaviors; what remains becomes fields of the type itself, each of the kind that fits all of its values.
 * @param standard fields of the behaviors that the site has: of several behaviors that bring a field the one is
 *   taken of which most fields are there. A behavior of which less than half is there is not meant by the type.
 */
export function inferType(
  typeId: string,
  title: string,
  samples: readonly ImportItem[],
  standard: StandardFields,
): TypeDefinition {
  const names = new Set(samples.flatMap(namesOf));
  const { behaviors, covered } = inferBehaviors(names, standard);
  if (samples.some((sample) => sample.isFolderish)) behaviors.push('folderish');
  const own = [...names].filter((name) => !covered.has(name)).sort();
  const properties: Record<string, Property> = Object.fromEntries(
    own.map((name) => [name, propertyOf(name, kindOfField(name, samples))]),
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

function namesOf(sample: ImportItem): string[] {
  return [...Object.keys(sample.fields), ...sample.given, ...sample.files.map((file) => file.field)];
}

function inferBehaviors(
  names: ReadonlySet<string>,
  standard: StandardFields,
): { behaviors: string[]; covered: Set<string> } {
  const behaviors = new Set<string>();
  const covered = new Set<string>();
  const ruled = new Set(RULES.map((rule) => rule.behavior));
  for (const { behavior, fields, isPresent } of RULES) {
    const applies = isPresent ? isPresent(names) : fields.some((field) => names.has(field));
    if (!applies) continue;
    behaviors.add(behavior);
    for (const field of fields) covered.add(field);
  }
  const fieldsOf = invert(standard);
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

function invert(standard: StandardFields): Map<string, string[]> {
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
