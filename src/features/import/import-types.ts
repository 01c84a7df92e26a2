import type { ExportedAddress, ExportedType } from '@canopy-server/site-reader';
import {
  type ContentType,
  configuration,
  contentPath,
  type Property,
  type Queryable,
  references,
  type Site,
  type TypeDefinition,
} from '#core';
import { ClientError } from '#lib/errors';
import { declaredTypes, definitionOf, lackingFields } from './declared-types.ts';
import { BLOCKS, extendType, mayNameField, type TypeLack } from './extend-type.ts';
import type { ImportJob } from './import-run.ts';
import { inferType, type StandardFields } from './infer-type.ts';
import { NOT_FIELDS } from './item-values.ts';
import { isIdentifier } from './storable-text.ts';
import { typeSamples } from './type-samples.ts';

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

/** Types that one import can make: a hostile export can name any number of them. */
const MAX_NEW_TYPES = 500;

/** The types in the export: those that the site does not have, and those that lack parts on the site. */
type ShownTypes = {
  declared: Map<string, ExportedType>;
  unknown: Map<string, ShownType>;
  known: Map<string, ShownType & { type: ContentType }>;
};

type ShownType = TypeLack & {
  declared: ReadonlyMap<string, Property>;
  relations: Set<string>;
  layouts: Set<string>;
  needsBlocks: boolean;
};

/**
 * Creates the content types of the export that the site does not have, as it declares them, else inferred from the objects of each, and adds to those of
 * the site the fields, behaviors and views that its objects have and they lack. What a type has stays as it is. Returns the
 * site with the changed types.
 */
export async function makeTypes(job: ImportJob): Promise<Site> {
  const { kernel, scope } = job;
  const before = await configuration.load(scope.db);
  const site = configuration.build(before.version, before.rows, kernel);
  const shown = await collectTypes(job, site);
  if (shown.unknown.size + shown.known.size === 0) return site;
  await scope.write((tx) => writeTypes(tx, job, shown));
  const made = await configuration.load(scope.db);
  return configuration.build(made.version, made.rows, kernel);
}

async function collectTypes(job: ImportJob, site: Site): Promise<ShownTypes> {
  const { kernel, source, report, textAsBlocks } = job;
  const typeOf = typeNames(site);
  const unknown: ShownTypes['unknown'] = new Map();
  const known: ShownTypes['known'] = new Map();
  const lackOf = (type: ContentType) => {
    const isWanted = (name: string) => !type.fieldByName.has(name) && !NOT_FIELDS.has(name);
    const made = known.get(type.id) ?? { type, ...emptyLack(typeSamples(kernel.fieldKinds, isWanted)) };
    known.set(type.id, made);
    return made;
  };
  const declared = await declaredTypes(job, MAX_NEW_TYPES);
  for (const [name, one] of declared) {
    const type = typeOf(name);
    if (!type) unknown.set(name, emptyLack(typeSamples(kernel.fieldKinds)));
    else {
      const fields = lackingFields(kernel.fieldKinds, type, one);
      if (fields.size > 0) lackOf(type).declared = fields;
    }
  }
  const wanted = new Set<ExportedAddress>();
  const origins = new Map<string, ContentType>();
  for (const address of await source.addresses()) {
    const type = typeOf(address.type);
    if (type) {
      origins.set(address.uid, type);
      if (address.layout && !type.layouts.includes(address.layout) && LAYOUT.test(address.layout))
        lackOf(type).layouts.add(address.layout);
      if (lacksFields(type, address)) wanted.add(address);
      if (textAsBlocks && address.keys?.includes('text') && !type.fieldByName.has('blocks'))
        lackOf(type).needsBlocks = true;
    } else if (address.path !== contentPath.ROOT && isIdentifier(address.type) && unknown.size < MAX_NEW_TYPES) {
      if (!unknown.has(address.type)) unknown.set(address.type, emptyLack(typeSamples(kernel.fieldKinds)));
      wanted.add(address);
    } else if (address.path !== contentPath.ROOT) {
      report.add({ reason: 'object', path: address.path, message: 'The name of its content type cannot be one.' });
    }
  }
  if (wanted.size > 0) {
    for await (const item of source.items((address) => wanted.has(address))) {
      const type = typeOf(item.type);
      (type ? lackOf(type) : unknown.get(item.type))?.samples.offer(item);
    }
  }
  for await (const { from_uuid: from, relation } of source.relations()) {
    const type = origins.get(from);
    if (type && relation !== references.LINKS && !type.fieldByName.has(relation)) lackOf(type).relations.add(relation);
  }
  return { declared, unknown, known };
}

const LAYOUT = /^[\w@.+-]{1,100}$/;

const emptyLack = (samples: TypeLack['samples']) => ({
  samples,
  declared: new Map<string, Property>(),
  relations: new Set<string>(),
  layouts: new Set<string>(),
  needsBlocks: false,
});

const lacksFields = ({ fieldByName }: ContentType, { keys = null }: ExportedAddress): boolean =>
  keys === null || keys.some((name) => !fieldByName.has(name) && !NOT_FIELDS.has(name));

/** Writes new and extended types. A type that could not be with what it would get stays as it is. */
async function writeTypes(tx: Queryable, job: ImportJob, { declared, unknown, known }: ShownTypes): Promise<void> {
  const { kernel, report, summary } = job;
  await configuration.lock(tx);
  const { rows, version } = await configuration.load(tx);
  const site = configuration.build(version, rows, kernel);
  const standard = standardFields(site);
  let next = rows;
  const changed: configuration.Row[] = [];
  /** Adds the row and returns true if the site can be built with it; else reports the problem. */
  const take = (row: configuration.Row): boolean => {
    const candidate = [...next.filter(({ kind, id }) => kind !== row.kind || id !== row.id), row];
    try {
      configuration.build(version, candidate, kernel);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      report.add({
        reason: 'field',
        path: null,
        message: `The type ${row.id} cannot get what it lacks: ${error.message}`,
      });
      return false;
    }
    next = candidate;
    changed.push(row);
    return true;
  };
  summary.types = [];
  summary.added = [];
  let position = Math.max(
    0,
    ...rows.filter(({ kind }) => kind === configuration.KINDS.type).map((row) => row.position),
  );
  const idOf = (name: string) => typeNames(site)(name)?.id ?? (unknown.has(name) ? name : undefined);
  for (const [id, { samples }] of unknown) {
    position += 1;
    const inference = {
      kinds: kernel.fieldKinds,
      behaviors: [...site.behaviors.values()],
      termsOf: samples.termsOf,
      mayName: mayNameField,
    };
    const own = declared.get(id);
    const asDeclared = own && definitionOf({ site, inference, idOf, report }, own, samples);
    const row = (data: TypeDefinition) => ({ kind: configuration.KINDS.type, id, position, data });
    if (asDeclared && take(row(asDeclared))) {
      summary.types.push(id);
      report.add({ reason: 'added', path: null, key: id, message: `The content type ${id} came with the export.` });
      continue;
    }
    const title = own?.title ?? samples.items.find(({ typeTitle }) => typeTitle !== null)?.typeTitle ?? id;
    const inferred = inferType(inference, { typeId: id, title }, samples.items, standard);
    const needsBlocks = job.textAsBlocks && samples.firstWith.has('text');
    const behaviors = needsBlocks ? [...inferred.behaviors, BLOCKS] : inferred.behaviors;
    if (!take(row(fitToSite({ ...inferred, behaviors }, site)))) continue;
    summary.types.push(id);
    report.add({ reason: 'added', path: null, key: id, message: `The content type ${id} was made from its objects.` });
  }
  for (const [id, { type, ...lack }] of known) {
    const row = rows.find(({ kind, id: other }) => kind === configuration.KINDS.type && other === id);
    const extended = row && extendType(site, { type, definition: row.data as TypeDefinition }, lack, standard);
    if (!row || !extended || !take({ ...row, data: extended.definition })) continue;
    summary.added.push(extended.addition);
    reportAddition(job, extended.addition);
  }
  if (changed.length > 0) await configuration.write(tx, changed);
}

function reportAddition(
  { report }: ImportJob,
  { type, behaviors, fields, layouts }: ImportJob['summary']['added'][number],
) {
  const add = (key: string, what: string) =>
    report.add({ reason: 'added', path: null, key, message: `The type ${type} got the ${what}.` });
  for (const behavior of behaviors) add(behavior, `behavior ${behavior}`);
  for (const { name, kind } of fields) add(name, `field ${name} (${kind})`);
  for (const layout of layouts) add('layout', `view ${layout}`);
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
