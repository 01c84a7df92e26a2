import { isDeepStrictEqual } from 'node:util';
import type { ExportedItem, ExportedVersion } from '@canopy-server/site-reader';
import { type ContentType, versions } from '#core';
import type { JsonObject } from '#lib/json-object';
import type { WrittenVersion } from '../history/statements.ts';
import { storable } from './content-rows.ts';

/** An object as it is now: stored values, and those that are columns. */
type Present = {
  type: ContentType;
  fields: JsonObject;
  layout: string | null;
  owner: string;
  created: Date;
  modified: Date;
  effective: Date | null;
  expires: Date | null;
};

const iso = (date: Date | null): string | null => storable(date)?.toISOString() ?? null;

/** The values of an older version, those of columns and the layout included. A view that the type lacks counts as the next one. */
export function olderValues(
  { layouts }: ContentType,
  { layout, dates }: ExportedVersion,
  fields: JsonObject,
): JsonObject {
  return {
    ...fields,
    ...(layout !== null && layouts.includes(layout) ? { [versions.LAYOUT]: layout } : {}),
    ...Object.fromEntries(Object.entries(dates).map(([name, date]) => [name, iso(date)])),
  };
}

/** Names of the values in which a version differs from the next one. */
export const changedNames = (version: JsonObject, next: JsonObject): string[] =>
  Object.keys(version).filter((name) => !isDeepStrictEqual(version[name] ?? null, next[name] ?? null));

/**
 * Returns the versions of an object with the present one: each with the values that the next one replaced, as changes on this site
 * record them. The list is empty without older versions and without a note of the last change.
 *
 * @param values stored values of each older version
 */
export function versionsOf(
  { versions: older, change }: Pick<ExportedItem, 'versions' | 'change'>,
  values: readonly JsonObject[],
  present: Present,
): WrittenVersion[] {
  if (older.length === 0 && change.note === '' && change.actor === null) return [];
  const { type, fields, layout, owner, created, modified, effective, expires } = present;
  const rows: WrittenVersion[] = [];
  let next: JsonObject = { ...fields, [versions.LAYOUT]: layout, effective: iso(effective), expires: iso(expires) };
  let row: WrittenVersion = {
    number: (older.at(-1)?.number ?? -1) + 1,
    at: modified,
    actor: change.actor ?? owner,
    note: change.note,
    fields: [],
    replaced: {},
  };
  for (const [index, version] of [...older.entries()].reverse()) {
    const then = olderValues(type, version, values[index] ?? {});
    const names = changedNames(then, next);
    rows.unshift({ ...row, fields: names });
    row = {
      number: version.number,
      // No version is younger than the next one, whatever the export says.
      at: earlier(storable(version.at) ?? created, row.at),
      actor: version.actor ?? owner,
      note: version.note,
      fields: [],
      replaced: Object.fromEntries(names.map((name) => [name, then[name] ?? null])),
    };
    next = { ...next, ...then };
  }
  return [row, ...rows];
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
