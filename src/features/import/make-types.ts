import { buildSite, KINDS, type Site } from '../../site/site.ts';
import { readConfiguration, writeConfiguration } from '../../storage/statements/configuration.ts';
import type { TypeDefinition } from '../../types/definition.ts';
import { isIdentifier } from './clean-text.ts';
import type { ImportJob } from './import-run.ts';
import { inferType, type StandardFields } from './infer-type.ts';
import { samplePicker } from './pick-samples.ts';
import { typeNames } from './type-names.ts';

/**
 * Makes content types of those that the export has and the site does not know, from the objects of each. Answers the
 * site with them. Types of the site stay as they are.
 */
export async function makeTypes({ kernel, source, scope, report, summary }: ImportJob): Promise<Site> {
  const { rows, version } = await readConfiguration(scope.db);
  const site = buildSite(version, rows, kernel);
  const typeOf = typeNames(site);
  const pickers = new Map<string, ReturnType<typeof samplePicker>>();
  for (const { type, path } of await source.addresses()) {
    if (typeOf(type) || path === '/') continue;
    if (isIdentifier(type)) pickers.set(type, samplePicker());
    else report.problem({ path, message: 'The name of its content type cannot be one.' });
  }
  if (pickers.size === 0) return site;
  for await (const item of source.items(({ type }) => pickers.has(type))) pickers.get(item.type)?.offer(item);
  const standard = standardFields(site);
  const definitions = [...pickers].map(([id, { samples }]) => {
    const title = samples.find(({ typeTitle }) => typeTitle !== null)?.typeTitle ?? id;
    return fitToSite(inferType(id, title, samples, standard), site);
  });
  const first = Math.max(0, ...rows.filter(({ kind }) => kind === KINDS.type).map(({ position }) => position)) + 1;
  await scope.write((tx) =>
    writeConfiguration(
      tx,
      definitions.map((data, index) => ({ kind: KINDS.type, id: data.id, position: first + index, data })),
    ),
  );
  summary.types = definitions.map(({ id }) => id);
  const made = await readConfiguration(scope.db);
  return buildSite(made.version, made.rows, kernel);
}

/** The fields of the site's behaviors, each with the behaviors that bring it. */
function standardFields(site: Site): StandardFields {
  const fields = new Map<string, string[]>();
  for (const { id, properties = {} } of site.behaviors.values()) {
    for (const name of Object.keys(properties)) fields.set(name, [...(fields.get(name) ?? []), id]);
  }
  return Object.fromEntries(fields);
}

/** Behaviors under the site's own names for them, and no workflow that the site does not have. */
function fitToSite(definition: TypeDefinition, { behaviors, workflows }: Site): TypeDefinition {
  const idOf = (name: string) =>
    [...behaviors.values()].find(({ id, aliases = [] }) => id === name || aliases.includes(name))?.id ?? name;
  return {
    ...definition,
    behaviors: [...new Set(definition.behaviors.map(idOf))],
    workflow: definition.workflow !== null && workflows.has(definition.workflow) ? definition.workflow : null,
  };
}
