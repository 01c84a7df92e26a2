import {
  type ExportedVersion,
  isEmptyValue,
  isJsonObject,
  type JsonObject,
  type ProblemLog,
  parseDate,
  stringOf,
  stringOrNull,
  stringsOf,
} from '@canopy-server/site-reader';
import { type ItemContext, parseFields } from './item-fields.ts';
import { OLDER_VERSIONS, withPresentNames } from './item-keys.ts';
import { parseEffective, parseExpires } from './json-values.ts';

/** Largest number of a version. */
const MAX_NUMBER = 999_999_998;

/**
 * Parses the older versions of an object, the oldest first. Both exporters write each version with the object's values at that time, under its number
 * in Plone, and leave the present version out.
 */
export async function parseVersions(path: string, raw: JsonObject, context: ItemContext): Promise<ExportedVersion[]> {
  const value = raw[OLDER_VERSIONS];
  if (isEmptyValue(value)) return [];
  const { problems } = context;
  if (typeof value !== 'object' || value === null) {
    problems.add({ reason: 'value', path, key: OLDER_VERSIONS, message: 'These are no versions.' });
    return [];
  }
  const versions: ExportedVersion[] = [];
  for (const [number, version] of numbered(Object.entries(value))) {
    if (isJsonObject(version))
      versions.push(await parseVersion(path, version, number, { ...context, problems: ofVersion(number, problems) }));
    else {
      const key = `${OLDER_VERSIONS}.${number}`;
      problems.add({ reason: 'value', path, key, message: `Version ${number} is no object and is left out.` });
    }
  }
  return versions;
}

/** The versions in their order, with the numbers of the export, or with new numbers if those are not valid. */
function numbered(entries: [string, unknown][]): [number, unknown][] {
  const given = entries.map(([key, version]): [number, unknown] => [/^\d{1,9}$/.test(key) ? Number(key) : -1, version]);
  const numbers = new Set(given.map(([number]) => number));
  const areNumbers = numbers.size === given.length && given.every(([number]) => number >= 0 && number < MAX_NUMBER);
  return areNumbers ? given.sort(([a], [b]) => a - b) : given.map(([, version], index) => [index, version]);
}

async function parseVersion(
  path: string,
  exported: JsonObject,
  number: number,
  context: ItemContext,
): Promise<ExportedVersion> {
  // The serializer writes the number of the version into each.
  const { version: _, ...raw } = withPresentNames(exported);
  const { fields, files } = await parseFields(path, raw, context);
  const dates = {
    ...(Object.hasOwn(raw, 'effective') ? { effective: parseEffective(raw.effective) } : {}),
    ...(Object.hasOwn(raw, 'expires') ? { expires: parseExpires(raw.expires) } : {}),
  };
  return {
    number,
    at: parseDate(raw.modified) ?? parseDate(raw.created),
    actor: stringOrNull(raw.changeActor),
    note: stringOf(raw.changeNote),
    layout: stringOrNull(raw.layout),
    fields: Array.isArray(raw.creators) ? { ...fields, creators: stringsOf(raw.creators) } : fields,
    dates,
    files,
  };
}

/** A problem log that adds the number of the version to each problem. */
function ofVersion(number: number, problems: ProblemLog): ProblemLog {
  const named = <T extends { key?: string | null; message: string }>(problem: T): T => ({
    ...problem,
    key: [OLDER_VERSIONS, number, problem.key].filter((part) => part !== undefined && part !== null).join('.'),
    message: `Version ${number}: ${problem.message}`,
  });
  return {
    ...problems,
    add: (problem) => problems.add(named(problem)),
    note: (problem) => problems.note(named(problem)),
  };
}
