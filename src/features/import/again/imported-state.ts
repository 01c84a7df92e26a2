import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ExportedItem } from '@canopy-server/site-reader';
import type { contentStates } from '#core';
import { isJsonObject } from '#lib/json-object';

/** An object as an export has it: what a newer export and the site are compared with. */
export type ImportedState = contentStates.State;

/**
 * Packs a value for the table of bases. Whole values are stored, deflated, instead of hashes of fields and blocks: texts can only be merged
 * by words with the words themselves.
 */
export const pack = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString('base64');

/** Returns a packed value. */
export const unpack = (packed: string): unknown => JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString());

/** The present version of an object in an export: its number, null without older versions, and its time in ISO form. */
export type VersionMark = { number: number | null; at: string | null };

/** Number of the present version of an object; null if the export has no older ones. */
export function presentNumber({ versions }: Pick<ExportedItem, 'versions'>): number | null {
  const last = versions.at(-1);
  return last === undefined ? null : last.number + 1;
}

/** Packs the state of an object with the mark of its present version, from which a newer export counts new versions. */
export const packState = (state: ImportedState, item: Pick<ExportedItem, 'versions' | 'modified'>): string => {
  const version: VersionMark = { number: presentNumber(item), at: item.modified?.toISOString() ?? null };
  return pack({ ...state, version });
};

/** Returns the mark of a packed state; undefined if it was packed without one. */
export function unpackVersion(packed: string): VersionMark | undefined {
  const state = unpack(packed);
  if (!isJsonObject(state) || !isJsonObject(state.version)) return undefined;
  const { number, at } = state.version;
  return { number: typeof number === 'number' ? number : null, at: typeof at === 'string' ? at : null };
}

/** Returns a packed state. */
export function unpackState(packed: string): ImportedState {
  const state = unpack(packed);
  if (!isJsonObject(state) || !isJsonObject(state.values) || !isJsonObject(state.settings))
    throw new Error('A base of an import has no state');
  const { type, layout, values, settings } = state;
  return { type: String(type), layout: typeof layout === 'string' ? layout : null, values, settings };
}
