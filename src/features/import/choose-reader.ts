import { existsSync } from 'node:fs';
import { CONTRACT, ExportError, type SiteReader } from '@canopy-server/site-reader';
import { type CommandContext, UsageError } from '#core';
import { BadRequest } from '#lib/errors';
import { isJsonObject } from '#lib/json-object';

/** Readers that have packages of their own, by the names behind `--reader`. They are used where they are installed. */
const PACKAGES = new Map([
  ['markdown', '@canopy-server/markdown-reader'],
  ['nick', '@canopy-server/nick-export'],
  ['wordpress', '@canopy-server/wordpress-export'],
]);

/** Forms of the members of a reader. */
const isReader = (value: unknown): value is SiteReader =>
  isJsonObject(value) &&
  ['name', 'title', 'looksFor'].every((key) => typeof value[key] === 'string') &&
  ['recognises', 'open'].every((key) => typeof value[key] === 'function');

/** Returns what a package exports as a reader. Throws BadRequest for anything else, and for a reader of another contract. */
function checkReader(value: unknown, who: string): SiteReader {
  if (!isReader(value)) throw new BadRequest(`${who} has no reader as its default export.`);
  if (value.contract !== CONTRACT)
    throw new BadRequest(
      `${who} is a reader of contract ${value.contract}; this version takes ${CONTRACT}. Install another version of it.`,
    );
  return value;
}

/** Where readers are looked for. */
export type ReaderContext = Pick<CommandContext, 'features' | 'loadPackage'>;

/** The readers of the program, of features and of packages that are installed, by name. Throws BadRequest for two of one name. */
async function installedReaders({ features, loadPackage }: ReaderContext): Promise<Map<string, SiteReader>> {
  const { ploneReader } = await import('@canopy-server/plone-export');
  const readers = new Map([[ploneReader.name, ploneReader]]);
  const add = (reader: SiteReader) => {
    if (readers.has(reader.name)) throw new BadRequest(`There are two readers "${reader.name}". Remove one of them.`);
    readers.set(reader.name, reader);
  };
  for (const name of PACKAGES.values()) {
    const found = await loadPackage(name);
    if (found !== undefined) add(checkReader(found, `The package "${name}"`));
  }
  for (const { name, readers: own = [] } of features)
    for (const reader of own) add(checkReader(reader, `A reader of the feature "${name}"`));
  return readers;
}

/** Finds a reader by its name, or by the name or the folder of the package that exports it. */
async function namedReader(name: string, context: ReaderContext): Promise<SiteReader> {
  const readers = await installedReaders(context);
  const known = readers.get(name);
  if (known) return known;
  const own = PACKAGES.get(name);
  if (own !== undefined)
    throw new BadRequest(`The reader "${name}" is not installed. Install it with "npm install ${own}".`);
  // A package is named by its scope, or is a path.
  const found = /[/@.]/.test(name) ? await context.loadPackage(name) : undefined;
  if (found !== undefined) return checkReader(found, `The package "${name}"`);
  throw new BadRequest(
    `There is no reader "${name}". Readers: ${[...new Set([...readers.keys(), ...PACKAGES.keys()])].join(', ')}, or the name or folder of a package.`,
  );
}

/** Says if a place is an address of another system, and no folder or file. */
const isAddress = (place: string): boolean => /^https?:\/\//i.test(place);

/** The reader of a source: the one that is named, else the only one that recognises it. Throws BadRequest. */
export async function chooseReader(
  place: string,
  named: string | undefined,
  context: ReaderContext,
): Promise<SiteReader> {
  if (named !== undefined) {
    const reader = await namedReader(named, context);
    if (isAddress(place) && reader.takesAddresses !== true)
      throw new BadRequest(`The reader "${reader.name}" reads folders and files, not addresses.`);
    return reader;
  }
  if (!isAddress(place) && !existsSync(place)) throw new BadRequest(`There is no export at ${place}.`);
  const readers = [...(await installedReaders(context)).values()];
  const fitting: SiteReader[] = [];
  for (const reader of readers)
    if ((!isAddress(place) || reader.takesAddresses === true) && (await recognises(reader, place)))
      fitting.push(reader);
  const [reader, second] = fitting;
  if (second !== undefined)
    throw new BadRequest(
      `${place} may be ${fitting.map(({ title }) => title).join(' or ')}: choose with --reader=${fitting.map(({ name }) => name).join(' or --reader=')}.`,
    );
  if (reader) return reader;
  const looked = readers.map(({ title, looksFor }) => `${title}: ${looksFor}`).join('; ');
  const missing = [...PACKAGES].filter(([name]) => !readers.some((one) => one.name === name));
  const more = missing.length === 0 ? '' : ` Not installed: ${missing.map(([, one]) => one).join(', ')}.`;
  throw new BadRequest(`${place} is not an export that can be read. Looked for ${looked}.${more}`);
}

async function recognises(reader: SiteReader, place: string): Promise<boolean> {
  try {
    return await reader.recognises(place);
  } catch (error) {
    if (isExportError(error)) return false;
    throw error;
  }
}

/** Says if an error is one of a source that cannot be read, of whichever copy of the contract a reader has. */
export const isExportError = (error: unknown): error is ExportError =>
  error instanceof ExportError || (error instanceof Error && error.name === 'ExportError');

/** The options of a reader, of `name=value`. Throws UsageError for one that it does not have. */
export function readerOptions(
  { name: of, options = {} }: SiteReader,
  given: readonly string[],
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const one of given) {
    const at = one.indexOf('=');
    const [name, value] = at === -1 ? [one, ''] : [one.slice(0, at), one.slice(at + 1)];
    const known = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!known) {
      const names = Object.keys(options).join(', ');
      throw new UsageError(
        `The reader ${of} has no option "${name}". ${names === '' ? 'It has none.' : `Its options: ${names}.`}`,
      );
    }
    if (value === '' || (known.choices && !known.choices.includes(value)))
      throw new UsageError(
        `The option ${name} takes ${known.choices ? `one of ${known.choices.join(', ')}` : 'a value: name=value'}.`,
      );
    values[name] = value;
  }
  return values;
}
