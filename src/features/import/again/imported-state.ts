import { deflateRawSync, inflateRawSync } from 'node:zlib';
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

/** Returns a packed state. */
export function unpackState(packed: string): ImportedState {
  const state = unpack(packed);
  if (!isJsonObject(state) || !isJsonObject(state.values) || !isJsonObject(state.settings))
    throw new Error('A base of an import has no state');
  const { type, layout, values, settings } = state;
  return { type: String(type), layout: typeof layout === 'string' ? layout : null, values, settings };
}
