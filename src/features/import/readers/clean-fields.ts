import { isJsonObject } from '../../../lib/json-object.ts';
import { tokenOf } from './json-values.ts';
import { withZone } from './read-date.ts';
import { hasFileContent } from './read-files.ts';
import type { SiteAddress } from './site-address.ts';

/** Blocks nest a dozen levels at most; a value beyond this depth would overflow the stack of whoever walks it. */
const MAX_DEPTH = 200;

/**
 * Makes field values independent of the exporting site: choices become their tokens, dates without a zone are
 * marked as UTC, links into the old site become paths. A value that is nested too deep is reported and left out.
 */
export function cleanFields(
  fields: [name: string, value: unknown][],
  site: SiteAddress,
  report: (message: string) => void,
): Record<string, unknown> {
  const cleaned: [string, unknown][] = [];
  for (const [name, value] of fields) {
    if (isDeeperThan(value, MAX_DEPTH)) {
      report(`Field ${name} is nested deeper than ${MAX_DEPTH} levels and is left out.`);
      continue;
    }
    cleaned.push([name, cleanValue(name, value, site, report)]);
  }
  return Object.fromEntries(cleaned);
}

function cleanValue(name: string, value: unknown, site: SiteAddress, report: (message: string) => void): unknown {
  if (typeof value === 'string') return withZone(site.link(value));
  if (Array.isArray(value) && value.length > 0 && value.every((entry) => tokenOf(entry) !== undefined))
    return value.map(tokenOf);
  const token = tokenOf(value);
  if (token !== undefined) return token;
  return walk(name, value, site, report);
}

function walk(name: string, value: unknown, site: SiteAddress, report: (message: string) => void): unknown {
  if (typeof value === 'string') return site.link(value);
  if (Array.isArray(value)) return value.map((entry) => walk(name, entry, site, report));
  if (!isJsonObject(value)) return value;
  if (hasFileContent(value)) report(`Field ${name} holds a file inside of other values; that file is not imported.`);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, walk(name, entry, site, report)]));
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}
