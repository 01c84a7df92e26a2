import { configuration, type Site } from '#core';
import { isJsonObject } from '#lib/json-object';
import { ExportRefused } from '../format.ts';
import type { OwnImport } from './import-run.ts';

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

/** Names of the vocabularies in the fields of a schema. */
function vocabulariesOf(properties: unknown): string[] {
  const found: string[] = [];
  for (const property of isJsonObject(properties) ? Object.values(properties) : []) {
    if (!isJsonObject(property)) continue;
    for (const holder of [property, property.items]) {
      const named = isJsonObject(holder) ? holder.vocabulary : undefined;
      if (isJsonObject(named)) found.push(...textsOf(named['@id']));
    }
  }
  return found;
}

const keyOf = ({ kind, id }: Pick<configuration.Row, 'kind' | 'id'>): string => JSON.stringify([kind, id]);

/** The further pieces of configuration that a piece needs. */
function needsOf({ kind, data }: configuration.Row): { kind: string; id: string }[] {
  if (!isJsonObject(data)) return [];
  const needed = (of: string, ids: readonly string[]) => ids.map((id) => ({ kind: of, id }));
  const vocabularies = needed(configuration.KINDS.vocabulary, vocabulariesOf(data.properties));
  if (kind === configuration.KINDS.behavior) return vocabularies;
  if (kind !== configuration.KINDS.type) return [];
  return [
    ...needed(configuration.KINDS.behavior, textsOf(data.behaviors)),
    ...needed(configuration.KINDS.workflow, textsOf(data.workflow)),
    ...vocabularies,
  ];
}

async function exportedPieces({ source }: OwnImport): Promise<Map<string, configuration.Row>> {
  const pieces = new Map<string, configuration.Row>();
  const kinds: string[] = [
    configuration.KINDS.type,
    configuration.KINDS.behavior,
    configuration.KINDS.workflow,
    configuration.KINDS.vocabulary,
  ];
  for await (const line of source.rows('configuration')) {
    const row: configuration.Row = JSON.parse(line);
    if (kinds.includes(row.kind)) pieces.set(keyOf(row), row);
  }
  return pieces;
}

/**
 * Adds the types that a part has and the site lacks, with the behaviors, workflows and vocabularies that they need. Present pieces of the site stay
 * unchanged. Returns the site with the new types.
 * @throws ExportRefused for a type that is neither on the site nor in the export
 */
export async function addNeededTypes(run: OwnImport, site: Site, added: string[]): Promise<Site> {
  const { kernel, tx, source } = run;
  const missing = source.manifest.types.filter((id) => !site.types.has(id));
  if (missing.length === 0) return site;
  await configuration.lock(tx);
  const pieces = await exportedPieces(run);
  const present = new Set((await configuration.load(tx)).rows.map(keyOf));
  const wanted = missing.map((id) => ({ kind: configuration.KINDS.type, id }));
  const rows = new Map<string, configuration.Row>();
  for (let next = wanted.shift(); next; next = wanted.shift()) {
    const key = keyOf(next);
    if (rows.has(key) || present.has(key)) continue;
    const piece = pieces.get(key);
    if (piece) {
      rows.set(key, piece);
      wanted.push(...needsOf(piece));
    } else if (next.kind === configuration.KINDS.type)
      throw new ExportRefused(`The type ${next.id} is neither on the site nor in the export.`);
  }
  await configuration.write(tx, [...rows.values()]);
  added.push(...[...rows.values()].map(({ kind, id }) => `Added: ${kind} ${id}, which the site did not have.`));
  return kernel.sites.within(tx);
}
